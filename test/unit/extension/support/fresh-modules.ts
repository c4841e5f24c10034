import { vi } from 'vitest';

// The extension's modules keep state between files. A new worker for each file would take longer.
vi.resetModules();
