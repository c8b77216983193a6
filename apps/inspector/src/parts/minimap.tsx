import { useEffect, useRef } from 'preact/hooks'
import { PARTS } from '../model/window.ts'
import { run } from '../state.ts'
import { useAnswer } from './use-answer.ts'
import { onRedraw } from './redraw.ts'

/** Tokens by step, as a strip: a click leads to the step. The tree below it has the same for the keyboard. */
export function Minimap({ onPick }: { readonly onPick: (place: number) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useAnswer('window', run.value?.id ?? '')
  const count = view?.steps.length ?? 0
  const totals =
    view?.steps.map((_, place) => PARTS.reduce((sum, part) => sum + (view.parts[part][place] ?? 0), 0)) ?? []
  const hasTokens = totals.some((total) => total > 0)

  useEffect(() => {
    const element = canvas.current
    if (element === null || view === undefined) return undefined
    const draw = (): void => paint(element, view.parts, totals)
    return onRedraw(element, { resized: draw, recoloured: draw })
  }, [view])

  if (!hasTokens) return null
  return (
    <div class="minimap">
      <div class="minimap-title" aria-hidden="true">
        <span>Tokens by step</span>
        {PARTS.map((part) => (
          <span key={part} class={`key ${part}`}>
            {part}
          </span>
        ))}
      </div>
      <canvas
        ref={canvas}
        aria-hidden="true"
        onClick={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect()
          const columns = columnsOf(count, width)
          const at = Math.floor((event.clientX - left) / columns.width)
          onPick(Math.min(count - 1, Math.floor((at * count) / columns.count)))
        }}
      />
    </div>
  )
}

function paint(
  canvas: HTMLCanvasElement,
  parts: Readonly<Record<(typeof PARTS)[number], readonly (number | null)[]>>,
  totals: readonly number[],
): void {
  const { clientWidth, clientHeight } = canvas
  const scale = devicePixelRatio
  canvas.width = clientWidth * scale
  canvas.height = clientHeight * scale
  const context = canvas.getContext('2d')
  if (context === null) return
  context.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const most = Math.max(
    1,
    totals.reduce((max, total) => Math.max(max, total), 0),
  )
  // Of more steps than there is room for, each column shows the fullest.
  const { count: columns, width } = columnsOf(totals.length, clientWidth)
  const gap = width > 6 ? 1 : 0
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * totals.length) / columns)
    const to = Math.max(from + 1, Math.floor(((column + 1) * totals.length) / columns))
    let place = from
    for (let other = from; other < to; other++) if ((totals[other] ?? 0) > (totals[place] ?? 0)) place = other
    let bottom = clientHeight
    for (const part of PARTS) {
      const height = ((parts[part][place] ?? 0) / most) * clientHeight
      context.fillStyle = style.getPropertyValue(`--part-${part}`)
      context.fillRect(column * width, bottom - height, width - gap, height)
      bottom -= height
    }
  }
}

const WIDEST = 24
const NARROWEST = 2

/** How many columns there are, and how wide each is. */
function columnsOf(steps: number, room: number): { readonly count: number; readonly width: number } {
  const count = Math.max(1, Math.min(steps, Math.floor(room / NARROWEST)))
  return { count, width: Math.min(room / count, WIDEST) }
}
