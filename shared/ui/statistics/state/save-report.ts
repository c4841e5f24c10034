import { saveFile } from '../../save-file.ts';
import type { ShownReport } from '../statistics-source.ts';
import { writeReport } from './write-report.ts';

/** Downloads a report as `curt-statistics-<name>.csv`. */
export function saveReport(report: ShownReport, name: string): void {
  const content = new Blob([writeReport(report)], { type: 'text/csv;charset=utf-8' });
  saveFile(content, `curt-statistics-${name}.csv`);
}
