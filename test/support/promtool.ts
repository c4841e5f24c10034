import { execFile, execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from './new-folder.ts';
import { needCommand } from './not-run.ts';

/** Between two readings of the metrics, as Prometheus has it by default in its examples. */
export const SCRAPE_SECONDS = 15;

export type ExpectedAlerts = {
  alertname: string;
  /** When, in readings since the first. */
  eval_time: string;
  exp_alerts: { exp_labels: object; exp_annotations: object }[];
};

const run = promisify(execFile);

/** What `GET /metrics` answered, one after the other. */
export class Recording {
  readonly #readings: Map<string, string>[] = [];

  get length(): number {
    return this.#readings.length;
  }

  add(metrics: string): void {
    const lines = metrics.split('\n').filter((line) => line.startsWith('curt_'));
    this.#readings.push(new Map(lines.map((line) => splitAtLast(line, ' '))));
  }

  /** As in the input of `promtool test rules`. */
  toSeries(labels: Record<string, string>) {
    const names = new Set(this.#readings.flatMap((reading) => [...reading.keys()]));
    const ofAll = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
    const up = { series: `up{${ofAll}}`, values: `1x${this.length - 1}` };
    const recorded = [...names].map((name) => {
      const [metric = '', own = ''] = name.split(/[{}]/);
      return {
        series: `${metric}{${[...ofAll, ...(own === '' ? [] : [own])]}}`,
        values: this.#readings.map((reading) => reading.get(name) ?? '_').join(' '),
      };
    });
    return [up, ...recorded];
  }
}

/** @throws Error with the difference, if other alerts than these are firing */
export async function testRules(
  rules: string,
  series: ReturnType<Recording['toSeries']>,
  alerts: ExpectedAlerts[],
): Promise<void> {
  const promtool = await needCommand('promtool');
  const folder = await newFolder();
  const path = join(folder, 'test.json');
  const interval = `${SCRAPE_SECONDS}s`;
  const tests = [{ interval, input_series: series, alert_rule_test: alerts }];
  // JSON is YAML.
  await writeFile(
    path,
    JSON.stringify({ rule_files: [rules], evaluation_interval: interval, tests }),
  );
  await run(promtool, ['test', 'rules', path]);
}

/** @throws Error that lists what is against the conventions of Prometheus */
export async function checkMetrics(metrics: string): Promise<void> {
  const promtool = await needCommand('promtool');
  execFileSync(promtool, ['check', 'metrics'], { input: metrics, stdio: 'pipe' });
}

function splitAtLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
