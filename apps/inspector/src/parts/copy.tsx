import { useState } from 'preact/hooks'

interface CopyProps {
  readonly text: string | (() => string)
  readonly label: string
}

/** A button that copies a text. */
export function Copy({ text, label }: CopyProps) {
  const [copied, setCopied] = useState(false)
  return (
    <button
      type="button"
      onClick={(event) => {
        event.stopPropagation()
        void copyText(typeof text === 'string' ? text : text()).then(() => setCopied(true))
      }}
    >
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </button>
  )
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // A page from a file may not have the clipboard's interface.
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}
