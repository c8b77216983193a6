import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { PARTS, type WindowView } from '../model/window.ts'
import { open } from '../state.ts'
import { onRedraw } from './redraw.ts'

const HEIGHT = 220

/** Tokens by part over the steps, one on top of the other, with the window's size and what the provider counted. */
export function Chart({ view }: { readonly view: WindowView }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    let plot = draw(element, view)
    const redraw = (): void => {
      plot.destroy()
      plot = draw(element, view)
    }
    const end = onRedraw(element, {
      resized: () => plot.setSize({ width: element.clientWidth, height: HEIGHT }),
      recoloured: redraw,
    })
    return () => {
      end()
      plot.destroy()
    }
  }, [view])
  return (
    <>
      <div class="legend">
        {PARTS.map((part) => (
          <span key={part} class={`key ${part}`}>
            {part}
          </span>
        ))}
        <span class="key counted">counted by the provider</span>
        {view.size !== undefined && <span class="key limit">the window's size</span>}
      </div>
      <div
        ref={place}
        class="chart"
        role="img"
        aria-label="Tokens by part over the steps. The table below has the same numbers."
      />
    </>
  )
}

function draw(element: HTMLElement, view: WindowView): uPlot {
  const style = getComputedStyle(element)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const steps = view.steps.map((_, index) => index + 1)
  // The lower parts are drawn over the higher ones, each up to its sum with those below.
  const sums: (number | null)[][] = []
  PARTS.forEach((part, index) => {
    sums.push(
      view.parts[part].map((tokens, at) =>
        tokens === null && index === 0 ? null : (tokens ?? 0) + (sums[index - 1]?.[at] ?? 0),
      ),
    )
  })
  const stacked = PARTS.map((part, index) => ({ part, values: sums[index]! })).toReversed()
  const axis = {
    stroke: colour('--quiet'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  }
  const bars = uPlot.paths.bars?.({ size: [0.9, 60], align: 0 })
  const line = { points: { show: steps.length < 60, size: 4 } }
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { time: false, range: () => [0.5, Math.max(steps.length, 1) + 0.5] },
        y: { range: (_plot, _min, max) => [0, Math.max(max, view.size ?? 0, 1) * 1.05] },
      },
      axes: [
        {
          ...axis,
          label: 'step',
          labelSize: 16,
          size: 28,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
        },
        {
          ...axis,
          size: 56,
          values: (_plot, ticks) =>
            ticks.map((tick) => (tick >= 10_000 ? `${tick / 1_000}k` : tick.toLocaleString('en-US'))),
        },
      ],
      series: [
        {},
        ...stacked.map(({ part }) => ({
          stroke: colour(`--part-${part}`),
          fill: colour(`--part-${part}`),
          width: 0,
          points: { show: false },
          ...(bars && { paths: bars }),
        })),
        { stroke: colour('--text'), width: 1.5, ...line },
        { stroke: colour('--bad'), width: 1, dash: [6, 4], points: { show: false } },
      ],
    },
    [steps, ...stacked.map(({ values }) => values), [...view.input], steps.map(() => view.size ?? null)],
    element,
  )
  plot.over.addEventListener('click', () => {
    const at = plot.cursor.idx
    if (typeof at === 'number') open(at)
  })
  return plot
}
