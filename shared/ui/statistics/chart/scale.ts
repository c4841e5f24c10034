/** Lines above zero, at most. */
const MAX_LINES = 5;
const STEPS = [1, 2, 5, 10];

/** Round values for the axis, from 0 up to at least `max`, in equal steps of whole numbers. */
export function ticksUpTo(max: number): number[] {
  const smallest = Math.max(1, max) / MAX_LINES;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(smallest)));
  const step = (STEPS.find((one) => one * power >= smallest) ?? 10) * power;
  const lines = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: lines + 1 }, (_, index) => index * step);
}
