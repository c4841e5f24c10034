import { vi } from 'vitest';

// The extension's modules have state, with which a file must not start. A new worker for each file takes
// longer.
vi.resetModules();
