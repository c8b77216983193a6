import { useEffect, useRef } from 'preact/hooks'
import { VIEW_NAMES, VIEWS } from '../route.ts'
import { helpOpen } from '../state.ts'

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['↑ ↓', 'go from row to row'],
  ['Enter', 'show the detail'],
  ['Esc', 'close the detail, the runs or this help'],
  ['/', 'search'],
  ...VIEWS.map((view, index) => [String(index + 1), `show ${VIEW_NAMES[view]}`] as const),
  ['?', 'this help'],
]

/** What the keys do. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (helpOpen.value) dialog.current?.showModal()
    else dialog.current?.close()
  }, [helpOpen.value])
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, does]) => (
          <>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
      <p>
        Words on a tinted ground can come from a skill, a model, a tool or a person. All others are the inspector's.
      </p>
      <button type="button" onClick={() => (helpOpen.value = false)}>
        Close
      </button>
    </dialog>
  )
}
