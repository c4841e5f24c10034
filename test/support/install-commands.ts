import { COMMANDS, installMissing } from './find-command.ts';

export default () => installMissing(COMMANDS);
