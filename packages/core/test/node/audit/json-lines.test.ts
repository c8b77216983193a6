import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runs, anyCharacter } from '@repertoire/test-servers/properties'
import type { AuditEvent } from '../../../src/index.ts'
import { jsonLinesAudit, readAudit, type TornLine } from '../../../src/node/index.ts'
import { caller, code, open, types } from '../../audit/world.ts'
import { CORE, NODE } from '../../bundled-entries.ts'

const run = promisify(execFile)

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-audit-'))
  chmodSync(folder, 0o755)
  path = join(folder, 'audit.jsonl')
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const event = (more: Partial<AuditEvent> = {}): AuditEvent => ({
  version: 1,
  type: 'tool.started',
  time: '2026-01-01T00:00:00.000Z',
  session: 's',
  skills: [],
  outcome: 'started',
  enforced: true,
  ...more,
})

/** Everything in a file, in its order: the events, and what is none. */
async function entriesOf(file: string): Promise<readonly (AuditEvent | TornLine)[]> {
  const entries: (AuditEvent | TornLine)[] = []
  for await (const read of readAudit(file, { onTorn: (torn) => entries.push(torn) })) entries.push(read)
  return entries
}

async function eventsOf(file: string): Promise<readonly AuditEvent[]> {
  const events: AuditEvent[] = []
  for await (const read of readAudit(file)) events.push(read)
  return events
}

const tornOf = async (file: string): Promise<readonly (AuditEvent | TornLine)[]> =>
  (await entriesOf(file)).filter((entry) => 'line' in entry)

/** Appends in its own process; the first argument is the file, the second tells it from others. */
const WRITER = `
const { jsonLinesAudit } = await import(process.argv[1])
const [, , path, who, count, options] = process.argv
const sink = jsonLinesAudit({ path, ...JSON.parse(options) })
const long = who.repeat(20_000)
for (let n = 0; n < Number(count); n++) {
  const event = { version: 1, type: 'tool.started', session: who, callId: String(n), reason: n % 3 === 0 ? long : 'short' }
  await sink.write(event)
}
await sink.close()
`
const writer = (who: string, count: number, options: object = {}) =>
  run(process.execPath, [
    '--conditions=@repertoire/source',
    '--input-type=module',
    '--eval',
    WRITER,
    NODE,
    path,
    who,
    String(count),
    JSON.stringify(options),
  ])

describe('an audit file', () => {
  it('[OBS-3] is readable by its owner only, has a line for each event, and is appended to', async () => {
    for (const session of ['a', 'b']) {
      const sink = jsonLinesAudit({ path })
      await sink.write(event({ session }))
      await sink.close()
    }
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe(
      `${JSON.stringify(event({ session: 'a' }))}\n${JSON.stringify(event({ session: 'b' }))}\n`,
    )
  })

  it('[OBS-3] keeps the order of concurrent events, and opens again after it was closed', async () => {
    const sink = jsonLinesAudit({ path })
    const all = Array.from({ length: 50 }, (_, n) => sink.write(event({ callId: `${n}` })))
    await sink.close()
    await sink.write(event({ callId: '50' }))
    await Promise.all(all)
    await sink.close()
    await sink.close()
    expect((await eventsOf(path)).map(({ callId }) => callId)).toEqual(Array.from({ length: 51 }, (_, n) => `${n}`))
  })

  it('[OBS-3, ABUSE-98] has exactly one line for any event, and returns the same event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 5 }), async (texts) => {
        rmSync(path, { force: true })
        const sink = jsonLinesAudit({ path })
        const written = texts.map((text) =>
          event({ tool: `${text}\n\r\u2028\u0085{"version":1,"type":"x"}\n`, input: { [text]: text } }),
        )
        for (const each of written) await sink.write(each)
        await sink.close()
        expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(written.length + 1)
        expect(await eventsOf(path)).toEqual(written.map((each) => JSON.parse(JSON.stringify(each)) as unknown))
      }),
      { numRuns: runs(40) },
    )
  })

  it('[OBS-3, ABUSE-101] holds every line intact if several processes append at once', async () => {
    const writers = ['a', 'b', 'c', 'd']
    await Promise.all(writers.map((who) => writer(who, 60)))
    expect(await tornOf(path)).toEqual([])
    for (const who of writers) {
      const own = (await eventsOf(path)).filter(({ session }) => session === who)
      expect(own.map(({ callId }) => callId)).toEqual(Array.from({ length: 60 }, (_, n) => `${n}`))
      expect(own.every(({ reason }) => reason === 'short' || reason === who.repeat(20_000))).toBe(true)
    }
  })

  it('[OBS-3, ABUSE-101] ends a line that a crash has torn before it appends, also while it is open', async () => {
    const line = JSON.stringify(event())
    writeFileSync(path, `${line}\n${line.slice(0, 40)}`)
    const sink = jsonLinesAudit({ path })
    await sink.write(event({ callId: 'after' }))
    appendFileSync(path, line.slice(0, 55))
    await sink.write(event({ callId: 'again' }))
    await sink.close()
    expect((await entriesOf(path)).map((entry) => ('line' in entry ? entry : entry.callId))).toEqual([
      undefined,
      { path, line: 2, text: line.slice(0, 40) },
      'after',
      { path, line: 4, text: line.slice(0, 55) },
      'again',
    ])
  })

  it('[OBS-3, ABUSE-101] is readable whatever length it is torn to', async () => {
    const whole = `${JSON.stringify(event({ reason: 'é€😀' }))}\n`
    const bytes = Buffer.from(whole)
    for (let length = 0; length <= bytes.length; length += 3) {
      writeFileSync(path, Buffer.concat([bytes, bytes.subarray(0, length)]))
      const sink = jsonLinesAudit({ path })
      await sink.write(event({ callId: 'last' }))
      await sink.close()
      const events = await eventsOf(path)
      expect(events[0]!.reason).toBe('é€😀')
      expect(events.at(-1)!.callId).toBe('last')
    }
  })

  it('[ABUSE-101, ABUSE-135] reports each line that is not an event, of any length', async () => {
    const line = JSON.stringify(event())
    const many = '{"version":1,"type":"'.repeat(100_000)
    writeFileSync(path, `${many}\n\nhello\n{"version":1,"type":"tool.started"\nnull\n${line}`)
    expect(await entriesOf(path)).toEqual([
      { path, line: 1, text: many.slice(0, 1_000) },
      { path, line: 3, text: 'hello' },
      { path, line: 4, text: '{"version":1,"type":"tool.started"' },
      { path, line: 5, text: 'null' },
      JSON.parse(line) as unknown,
    ])
    expect(await eventsOf(path)).toEqual([JSON.parse(line)])
  })

  it('[ABUSE-101] is read in bounded memory, also if a line never ends', async () => {
    writeFileSync(path, `${'x'.repeat(20 * 1024 * 1024)}\n${JSON.stringify(event())}\n`)
    const entries = await entriesOf(path)
    expect(entries.map((entry) => ('line' in entry ? entry.text.length : 'event'))).toEqual([1_000, 'event'])
    await expect(entriesOf(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('[ABUSE-101] may have events of 8 MiB, and a longer one is read as cut off', async () => {
    const [start, end] = JSON.stringify(event({ reason: '|' })).split('|') as [string, string]
    const ofLength = (length: number) => `${start}${'x'.repeat(length - start.length - end.length)}${end}`
    writeFileSync(path, `${ofLength(8 * 1024 * 1024)}\n${ofLength(8 * 1024 * 1024 + 1)}\n`)
    expect((await entriesOf(path)).map((entry) => ('line' in entry ? 'torn' : 'event'))).toEqual(['event', 'torn'])
  })

  it('[OBS-3] continues in a new file after it was moved or deleted', async () => {
    const sink = jsonLinesAudit({ path })
    await sink.write(event({ callId: '1' }))
    renameSync(path, `${path}.1`)
    await sink.write(event({ callId: '2' }))
    rmSync(path)
    await sink.write(event({ callId: '3' }))
    await sink.close()
    expect((await eventsOf(`${path}.1`)).map(({ callId }) => callId)).toEqual(['1'])
    expect((await eventsOf(path)).map(({ callId }) => callId)).toEqual(['3'])
  })

  it('[OBS-3] is never a link, a folder or a pipe', async () => {
    const other = join(folder, 'other')
    writeFileSync(other, 'kept')
    symlinkSync(other, join(folder, 'link'))
    mkdirSync(join(folder, 'folder'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    for (const name of ['link', 'folder', 'pipe', 'none/audit.jsonl', 'other/audit.jsonl']) {
      await expect(jsonLinesAudit({ path: join(folder, name) }).write(event())).rejects.toMatchObject({
        code: 'FOLDER_NOT_WRITABLE',
        path: join(folder, name),
      })
    }
    expect(readFileSync(other, 'utf8')).toBe('kept')
    expect(() => jsonLinesAudit({ path: '' })).toThrow('`path` is empty')
  })

  it('[OBS-3, ABUSE-100] makes the session refuse a call if the disk is full', async () => {
    const full = jsonLinesAudit({ path: '/dev/full' })
    await expect(full.write(event())).rejects.toMatchObject({
      code: 'FOLDER_NOT_WRITABLE',
      message: expect.stringContaining('ENOSPC') as string,
    })
    const { session, problems } = await open({ sink: full, required: true })
    const { call, ran, activate } = caller(session)
    expect(code(await activate('git'))).toBe('AUDIT_UNAVAILABLE')
    expect(code(await call('Bash', { command: 'a' }))).toBe('AUDIT_UNAVAILABLE')
    expect(ran).toEqual([])
    expect(problems).toMatchObject([{ code: 'AUDIT_FAILED', message: expect.stringContaining('ENOSPC') as string }])
  })

  it('[OBS-3, ABUSE-100] makes the session refuse a call if its folder is read-only', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o555)
    // Root may write everywhere: the process gives that up, when its modules are loaded.
    const child = `
      const { jsonLinesAudit, openRepertoire, memorySource } = Object.assign({}, ...await Promise.all(process.argv.slice(1, 3).map((file) => import(file))))
      const text = '---\\nname: git\\ndescription: Git.\\n---\\nBody.\\n'
      const sources = [memorySource({ layer: 'project', skills: { git: { 'SKILL.md': text } } })]
      if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
      const sink = jsonLinesAudit({ path: process.argv[3] })
      const { openSession } = await openRepertoire({ sources, audit: { sink, required: true } })
      const session = openSession({ consent: () => true })
      let ran = false
      const outcomes = []
      for (const [tool, input] of [['activate_skill', { name: 'git' }], ['Bash', { command: 'a' }]])
        outcomes.push(await session.call({ id: tool, tool, input }, () => { ran = true }))
      console.log(JSON.stringify({ ran, codes: outcomes.map(({ refusal }) => refusal?.code) }))
    `
    const { stdout } = await run(process.execPath, [
      '--conditions=@repertoire/source',
      '--input-type=module',
      '--eval',
      child,
      NODE,
      CORE,
      join(closed, 'audit.jsonl'),
    ])
    expect(JSON.parse(stdout)).toEqual({ ran: false, codes: ['AUDIT_UNAVAILABLE', 'AUDIT_UNAVAILABLE'] })
    expect(readdirSync(closed)).toEqual([])
  })

  it('[OBS-3, ABUSE-100] has an event before its tool runs, and all of them at the end', async () => {
    const sink = jsonLinesAudit({ path })
    const { session } = await open({ sink, required: true })
    const { call, activate } = caller(session)
    await activate('git')
    let before: readonly string[] = []
    await call(
      'Bash',
      { command: 'git log' },
      {
        run: () => {
          before = readFileSync(path, 'utf8')
            .trim()
            .split('\n')
            .map((line) => (JSON.parse(line) as AuditEvent).type)
        },
      },
    )
    expect(before).toEqual(['consent.asked', 'consent.answered', 'skill.activating', 'skill.activated', 'tool.started'])
    await session.end()
    // Otherwise the collector closes the file, some tests later and with a warning.
    await sink.close()
    expect(types(await eventsOf(path))).toEqual([...before, 'tool.finished', 'skill.deactivated'])
  })
})
