import { render } from 'preact';

render(<button type="button">Curt</button>, document.getElementById('app') as HTMLElement);
