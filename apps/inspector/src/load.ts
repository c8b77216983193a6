import { ask } from './client.ts'
import { keyOfCommand } from './key.ts'
import { introduce, type Introduction, logs, problem, reading } from './state.ts'

/** Opens the logs that there are: those in the file, those of the command, or none yet. */
export async function load(): Promise<void> {
  const embedded = [...document.querySelectorAll<HTMLScriptElement>('script[data-log]')]
  try {
    if (embedded.length > 0) {
      introduce(embeddedIntroduction())
      for (const { dataset, textContent } of embedded) {
        const name = decodeURIComponent(dataset['log'] ?? '')
        logs.value = [...logs.value, name]
        await ask('embedded', name, textContent)
      }
      reading.value = 'done'
    } else if (location.protocol.startsWith('http')) await loadServed()
    else reading.value = 'none'
  } catch (error) {
    reading.value = 'done'
    problem.value = error instanceof Error ? error.message : String(error)
  }
}

/** Opens files that a person chose. */
export async function openFiles(files: readonly File[]): Promise<void> {
  reading.value = 'reading'
  logs.value = [...logs.value, ...files.map(({ name }) => name)]
  for (const file of files) await ask('text', file.name, await file.text())
  reading.value = 'done'
}

function embeddedIntroduction(): Introduction | undefined {
  const text = document.querySelector<HTMLScriptElement>('script[data-introduction]')?.dataset['introduction']
  return text === undefined ? undefined : (JSON.parse(decodeURIComponent(text)) as Introduction)
}

interface Served {
  readonly logs: readonly string[]
  readonly live: boolean
  readonly introduction?: Introduction
}

async function loadServed(): Promise<void> {
  const key = keyOfCommand()
  const { origin } = location
  const headers = { authorization: `Bearer ${key}` }
  const response = key === '' ? undefined : await fetch(`${origin}/logs`, { headers, cache: 'no-store' })
  if (response?.ok !== true) {
    reading.value = 'locked'
    return
  }
  const served = (await response.json()) as Served
  introduce(served.introduction)
  logs.value = served.logs
  for (const [index, name] of served.logs.entries()) await ask('served', name, `${origin}/logs/${index}`, key)
  if (served.live) await ask('followed', 'live', `${origin}/events`, key)
  else reading.value = 'done'
}
