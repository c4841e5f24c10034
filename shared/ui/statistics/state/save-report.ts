import type { StatisticsReport } from '../../../statistics.ts';
import { saveFile } from '../../save-file.ts';
import { writeReport } from './write-report.ts';

/** Downloads a report as `curt-statistics-<name>.csv`. */
export function saveReport(report: StatisticsReport, name: string): void {
  const content = new Blob([writeReport(report)], { type: 'text/csv;charset=utf-8' });
  saveFile(content, `curt-statistics-${name}.csv`);
}
