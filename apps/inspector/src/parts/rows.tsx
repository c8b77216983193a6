import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { ComponentChild } from 'preact'
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks'

interface RowsProps {
  readonly id: string
  readonly label: string
  readonly role: 'tree' | 'listbox'
  readonly count: number
  /** In pixels. */
  readonly height: number | ((index: number) => number)
  /** The place of the active row; -1: none. */
  readonly active: number
  readonly render: (index: number) => ComponentChild
  /** Attributes of a row, for its role. */
  readonly rowProps?: (index: number) => Readonly<Record<string, string | number | boolean | undefined>>
  readonly onActive: (index: number) => void
  readonly onOpen: (index: number, byKey: boolean) => void
}

/** Rows, of which only those on the screen exist. */
export function Rows(props: RowsProps) {
  const { id, label, role, count, height, active, render, rowProps, onActive, onOpen } = props
  const heightOf = (index: number): number => (typeof height === 'number' ? height : height(index))
  const scroller = useRef<HTMLDivElement>(null)
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0)
  const virtual = useRef<Virtualizer<HTMLDivElement, HTMLElement>>(undefined)
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    overscan: 12,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(),
  }
  virtual.current ??= new Virtualizer<HTMLDivElement, HTMLElement>(options)
  virtual.current.setOptions(options)
  // The library's own bindings call these two; they are public by their types.
  // oxlint-disable-next-line no-underscore-dangle
  useLayoutEffect(() => virtual.current?._didMount(), [])
  // oxlint-disable-next-line no-underscore-dangle
  useLayoutEffect(() => virtual.current?._willUpdate())
  const wanted = useRef(-1)
  useEffect(() => {
    if (active < 0 || active === wanted.current) return
    wanted.current = active
    virtual.current?.scrollToIndex(active, { align: 'auto' })
  }, [active])

  // Keys may come faster than rows are drawn: each begins where the one before it has led.
  const latest = useRef({ shown: active, active })
  if (latest.current.shown !== active) latest.current = { shown: active, active }
  const move = (by: number, from = latest.current.active): void => {
    if (count === 0) return
    latest.current.active = Math.max(0, Math.min(count - 1, from + by))
    onActive(latest.current.active)
  }
  const page = (): number => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / heightOf(0)) - 1)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => move(0, 0),
    End: () => move(0, count - 1),
    PageDown: () => move(page()),
    PageUp: () => move(-page()),
    Enter: () => latest.current.active >= 0 && onOpen(latest.current.active, true),
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const known = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (known === undefined) return
    event.preventDefault()
    event.stopPropagation()
    known()
  }
  return (
    <div
      ref={scroller}
      class="rows"
      role={role}
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active >= 0 && active < count ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
      data-list
    >
      <div role="none" class="rows-inner" style={{ height: `${virtual.current.getTotalSize()}px` }}>
        {virtual.current.getVirtualItems().map(({ index, start }) => (
          <div
            key={index}
            id={`${id}-${index}`}
            class="row"
            role={role === 'tree' ? 'treeitem' : 'option'}
            aria-selected={index === active}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)`, height: `${heightOf(index)}px` }}
            onClick={() => {
              onActive(index)
              onOpen(index, false)
            }}
            {...rowProps?.(index)}
          >
            {render(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
