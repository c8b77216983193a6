// Counts the source files and functions that run for one call, and compares them with limits: npm run call-paths
//
// `-- --files NAME` lists the files of one call with their functions. A call above its limit makes the exit code 1.
import { openRepertoire, type Repertoire } from '@repertoire/core'
import { directorySource, jsonLinesAudit } from '@repertoire/core/node'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Session as Inspector } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adapterSession, openAdapterSession, type AdapterSession } from '@repertoire/core/adapter'

interface MeasuredCall {
  readonly maxFiles: number
  readonly maxFunctions?: number
  /** Prepares everything that does not belong to the call. */
  readonly prepare: () => Promise<() => Promise<unknown>>
  /** Measures the first call of the process, and not one that follows another. */
  readonly isFirst?: boolean
}

const SOURCES = new URL('../packages/', import.meta.url).href
const SKILL = '---\nname: log\ndescription: Reads the history.\nallowed-tools: Bash(git log:*) Read\n---\nRead it.\n'

const folder = mkdtempSync(join(tmpdir(), 'repertoire-call-paths-'))
const open = (audit?: object): Promise<Repertoire> =>
  openRepertoire({ sources: [directorySource({ root: join(folder, 'skills') })], ...audit })

/** In this order, so that nothing has run before the first scan. */
const CALLS: Readonly<Record<string, MeasuredCall>> = {
  scan: {
    maxFiles: 60,
    isFirst: true,
    prepare: async () => async () =>
      openAdapterSession(await open())
        .beginStep([])
        .system(''),
  },
  read: {
    maxFiles: 20,
    maxFunctions: 60,
    async prepare() {
      const session = adapterSession(openSession(await open()))
      return () => callTool(session, 'Read', { file_path: 'README.md' })
    },
  },
  shell: {
    maxFiles: 40,
    async prepare() {
      const session = adapterSession(
        openSession(await open({ audit: { sink: jsonLinesAudit({ path: join(folder, 'audit.jsonl') }) } })),
      )
      await callTool(session, 'activate_skill', { name: 'log' })
      return () => callTool(session, 'Bash', { command: 'git log -1' })
    },
  },
  activation: {
    maxFiles: 60,
    async prepare() {
      const session = adapterSession(openSession(await open()))
      return () => callTool(session, 'activate_skill', { name: 'log' })
    },
  },
}

const { values } = parseArgs({ options: { files: { type: 'string' } } })
if (values.files !== undefined && !Object.hasOwn(CALLS, values.files))
  throw new TypeError(`--files takes one of these calls: ${Object.keys(CALLS).join(', ')}`)
mkdirSync(join(folder, 'skills/log'), { recursive: true })
writeFileSync(join(folder, 'skills/log/SKILL.md'), SKILL)
const inspector = new Inspector()
inspector.connect()
await inspector.post('Profiler.enable')
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
try {
  const rows: Record<string, object> = {}
  for (const [name, call] of Object.entries(CALLS)) {
    const { maxFiles, maxFunctions = Infinity } = call
    const path = await measure(call)
    const files = path.size
    const functions = [...path.values()].flat().length
    rows[name] = { files, 'at most': maxFiles, functions, ' at most': maxFunctions }
    if (files > maxFiles || functions > maxFunctions) process.exitCode = 1
    if (values.files === name) for (const [file, names] of path) console.log(`${file}: ${names.join(' ')}`)
  }
  if (values.files === undefined) console.table(rows)
} finally {
  inspector.disconnect()
  rmSync(folder, { recursive: true })
}

/** Returns the functions that run for a call, by file. It runs once before, unless the first call is what is measured. */
async function measure({ prepare, isFirst = false }: MeasuredCall): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!isFirst) await (await prepare())()
  const call = await prepare()
  // The counts begin anew whenever they are taken.
  await inspector.post('Profiler.takePreciseCoverage')
  await call()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  const files = result.flatMap(({ url, functions }) => {
    // The code of a module itself begins with the file; it is not a function, and runs when the module is imported.
    const ran = functions.filter(
      ({ functionName, ranges: [range] }) => range!.count > 0 && !(functionName === '' && range!.startOffset === 0),
    )
    if (!url.startsWith(SOURCES) || !url.includes('/src/') || ran.length === 0) return []
    return [[url.slice(SOURCES.length), ran.map(({ functionName }) => functionName || '(anonymous)')] as const]
  })
  return new Map(files.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function openSession(repertoire: Repertoire): AdapterSession {
  const session = openAdapterSession(repertoire, { consent: () => true })
  session.beginStep(['Read', 'Bash'])
  return session
}

async function callTool(session: AdapterSession, tool: string, input: Readonly<Record<string, string>>): Promise<void> {
  const outcome = await session.call({ id: tool, tool, input }, () => 'done')
  if (!outcome.ok) throw new Error(`${tool} was refused: ${outcome.text}`)
}
