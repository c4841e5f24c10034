import { workerData } from 'node:worker_threads';
import { type CompactionTask, compact } from './compact.ts';

compact(workerData as CompactionTask);
