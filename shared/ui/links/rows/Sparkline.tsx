/** On a grid of one unit a day. */
const HEIGHT = 20;

/** Visitors of the last 30 days as a line. Decorative: the number of visits is beside it. */
export function Sparkline({ days }: { days: number[] }) {
  const most = Math.max(1, ...days);
  const points = days.map((people, day) => `${day},${HEIGHT - (people / most) * HEIGHT}`);
  return (
    <svg
      class="sparkline"
      viewBox={`0 -1 ${days.length - 1} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
