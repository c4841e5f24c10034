import { Counter, Gauge, type Registry } from 'prom-client';

type Values = number | Record<string, number>;

type Metric = {
  type: 'counter' | 'gauge';
  name: string;
  help: string;
  /** Without one, there is one value. */
  label?: string;
  /** The value, or the value of each label. */
  read: () => Values | Promise<Values>;
};

/** Adds a counter or gauge that is read when the metrics are asked for. */
export function addMetric(registry: Registry, { type, name, help, label, read }: Metric): void {
  const config = {
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect(this: Counter | Gauge) {
      const values = await read();
      this.reset();
      if (typeof values === 'number') this.inc(values);
      else if (label) for (const key in values) this.inc({ [label]: key }, values[key]);
    },
  };
  if (type === 'counter') new Counter(config);
  else new Gauge(config);
}
