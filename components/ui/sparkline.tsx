const WIDTH = 100;
const HEIGHT = 28;
/** So that the line isn't cut off at its extremes. */
const MARGIN = 2;

interface SparklineProps {
  /** Oldest first; a line of zeros is flat. */
  values: readonly number[];
  color?: string;
}

/** The course of a figure, without axes. Decorative: the figure beside it is the information. */
export function Sparkline({ values, color = "var(--color-accent)" }: SparklineProps) {
  const max = Math.max(...values, 0);
  const points = values.map((value, index) => {
    const x = (index / Math.max(values.length - 1, 1)) * WIDTH;
    const y = HEIGHT - MARGIN - (max === 0 ? 0 : (value / max) * (HEIGHT - 2 * MARGIN));
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-7 w-full"
    >
      <polygon
        points={`0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`}
        fill={color}
        opacity={0.1}
      />
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke={color}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
