import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { hostChecks, type HostDriver, runHostProfile } from '../../src/host.ts'
import type { Result } from '../../src/report/report.ts'
import { hostStyles } from './styles.ts'
import { toyDriver, type ToyParts } from './toy-host.ts'

const FAST = 500
/** Without CI, a host meets this share of the checks, each another share. */
const SHARES = 4

/** Judges one host by some checks. */
async function resultsOf(host: HostDriver, only?: readonly string[], deadline?: number): Promise<readonly Result[]> {
  const report = await runHostProfile({ hosts: [host], only, deadline })
  return report.results
}

describe('the run of a host profile', () => {
  it.each(Object.entries(hostStyles).map(([style, host], index) => [style, host, index] as const))(
    '[CONF-7] fails in nothing a host that %s',
    async (_, host, index) => {
      const isAll = process.env['CI'] !== undefined
      const only = hostChecks.flatMap(({ id }, at) => (isAll || (at + index) % SHARES === 0 ? [id] : []))
      const results = await resultsOf(host, only)
      expect(results.filter(({ status }) => status === 'fail')).toEqual([])
      expect(results.filter(({ status }) => status === 'pass').length).toBeGreaterThanOrEqual(only.length * 0.6)
    },
    60_000,
  )

  it('[CONF-7] is n/a with the reason of the driver where a host cannot read files, and never passes', async () => {
    const absent = 'It has no way to read files.'
    const results = await resultsOf(toyDriver(undefined, { read: { absent } }))
    const reading = results.filter(({ id }) => id.startsWith('resources-'))
    expect(reading.length).toBeGreaterThan(10)
    expect(reading.filter(({ status, reason }) => status !== 'n/a' || reason !== absent)).toEqual([])
    expect(results.filter(({ status }) => status === 'fail')).toEqual([])
  }, 60_000)

  it('[CONF-7] is n/a for paths where a general tool reads any file, and says why', async () => {
    const only = ['resources-traversal', 'activation-traversal', 'resources-read']
    const results = await resultsOf(toyDriver(undefined, { reads: 'shell', activates: 'file tool' }), only)
    expect(results.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ['activation-traversal', 'n/a', 'The model reads skills with a file tool, which may read other files too.'],
      ['resources-read', 'pass', undefined],
      ['resources-traversal', 'n/a', 'The model reads skills with a shell, which may read other files too.'],
    ])
  })

  it('[CONF-7] fails the activations of a host that cannot activate, unless its driver says why', async () => {
    const only = ['activation-body', 'activation-unknown-told']
    const none = await resultsOf(toyDriver(undefined, { activate: () => undefined }), only)
    expect(none.map(({ status }) => status)).toEqual(['fail', 'n/a'])
    expect(none[0]!.reason).toMatch(/expected the model to be offered a way of activating "audit", saw \["lookup"/)
    const lack = { absent: 'All skills are in the prompt.' }
    const absent = await resultsOf(toyDriver(undefined, { activate: lack }), only)
    expect(absent.map(({ status, reason }) => [status, reason])).toEqual(only.map(() => ['n/a', lack.absent]))
  })

  it('[CONF-7] is n/a for answers where a host never asks', async () => {
    const silent = toyDriver(() => ({ ask: () => true }))
    const results = await resultsOf(silent, ['consent-no-obeyed', 'told-consent'])
    expect(results.map(({ status, reason }) => [status, reason])).toEqual([
      ['n/a', 'The host asked nothing before it loaded a skill, so there was no answer to obey.'],
      ['told', 'Nobody is asked.'],
    ])
  })

  const never = (): Promise<never> => new Promise(() => {})

  it.each<[string, (parts: ToyParts) => Partial<ToyParts>]>([
    ['start', () => ({ start: never })],
    ['send', () => ({ send: never })],
    ['end', ({ start }) => ({ start: async (task) => ({ ...(await start(task)), end: never }) })],
  ])('[CONF-7] fails a host whose %s hangs after the deadline, and goes on', async (call, change) => {
    const results = await resultsOf(toyDriver(change), ['listing-bom', 'listing-crlf', 'told-own-tools'], FAST)
    expect(results.map(({ status }) => status)).toEqual(['fail', 'fail', 'n/a'])
    expect(results[0]!.reason).toContain(`${call} did not end within 0.5 s`)
  })

  it.each<[string, (parts: ToyParts) => object, RegExp]>([
    ['start rejects', () => ({ start: () => Promise.reject(new Error('No key.')) }), /start failed \(No key\.\)/],
    ['start returns nothing', () => ({ start: async () => undefined }), /start to return an object with `send`/],
    [
      'the model is never asked',
      () => ({ start: async () => ({ send: async () => 'I have listed all skills.' }) }),
      /expected a request to the model after a message, saw "none"/,
    ],
    [
      'the host asks the model without end',
      ({ send }) => ({
        async send(...request: Parameters<typeof send>) {
          for (;;) await send(...request)
        },
      }),
      /The host sent more than 60 requests\./,
    ],
  ])('[CONF-7] says what went wrong where %s', async (_, change, reason) => {
    const [result] = await resultsOf(toyDriver(change), ['listing-bom'])
    expect(result).toMatchObject({ status: 'fail', reason: expect.stringMatching(reason) })
  })

  it('[CONF-7] names a mistake in the driver', async () => {
    const broken = toyDriver(undefined, {
      activate() {
        throw new TypeError('There is no tool for skills.')
      },
    })
    const [result] = await resultsOf(broken, ['activation-body'])
    expect(result!.status).toBe('fail')
    expect(result!.reason).toContain('TypeError: There is no tool for skills.')
  })

  it('[CONF-7] fails the check in which a host crashes outside of any call, and no other', async () => {
    let count = 0
    const crashing = toyDriver(({ start }) => ({
      async start(task) {
        if (++count === 2) void Promise.reject(new Error('left behind'))
        return start(task)
      },
    }))
    const state = () => process.listeners('uncaughtException')
    const before = state()
    const results = await resultsOf(crashing, ['listing-bom', 'listing-crlf', 'listing-unicode'])
    expect(results.map(({ status }) => status)).toEqual(['pass', 'fail', 'pass'])
    expect(results[1]!.reason).toContain('The host threw an error that nothing awaited: left behind')
    expect(state()).toEqual(before)
  })

  it('[CONF-7] reports hosts with versions, checks as data, and every result as it comes', async () => {
    const seen: Result[] = []
    const hosts = [toyDriver(), toyDriver(undefined, { name: 'other', documented: { 'listing-bom': 'Nothing.' } })]
    const report = await runHostProfile({ hosts, only: ['listing-bom'], onResult: (result) => seen.push(result) })
    expect(report).toMatchObject({
      adapters: ['toy', 'other'],
      hosts: [{ name: 'toy', version: '1.0.0' }, { name: 'other' }],
      checks: [{ id: 'listing-bom', area: 'listing', level: 'MUST' }],
      results: [{ adapter: 'toy' }, { adapter: 'other', documented: 'Nothing.' }],
    })
    expect(seen).toEqual(report.results)
  })

  it('[CONF-7] has ids, titles and levels as the report needs them', () => {
    expect(new Set(hostChecks.map(({ id }) => id)).size).toBe(hostChecks.length)
    for (const { id, area, level, title } of hostChecks) {
      expect(id.startsWith(`${area}-`)).toBe(true)
      expect(title).toMatch(/^\[CONF-7\] [a-z`]/)
      expect(level === 'INFO').toBe(area === 'told')
    }
  })

  it.each([
    [{ hosts: [] }, /There is no host to judge/],
    [{ hosts: [{}] }, /`name` is missing/],
    [{ hosts: [toyDriver(undefined, { version: '' })] }, /The host driver "toy": `version` is empty/],
    [
      { hosts: [{ ...toyDriver(), read: undefined }] },
      /`read` is missing\. Give a function, or an object \{ absent \}/,
    ],
    [{ hosts: [{ ...toyDriver(), reads: 'files' }] }, /`reads` is "files"\. Give "own tool", "file tool" or "shell"/],
    [{ hosts: [{ ...toyDriver(), protocol: 'rest' }] }, /`protocol` is "rest"/],
    [{ hosts: [{ ...toyDriver(), activte: 1 }] }, /unknown option `activte`\. Did you mean `activate`\?/],
    [{ hosts: [toyDriver(undefined, { documented: { none: 'x' } })] }, /documents "none", and no check has that id/],
    [{ hosts: [toyDriver(), toyDriver()] }, /Two hosts are named "toy"/],
    [{ hosts: [toyDriver()], only: ['listing-bmo'] }, /Did you mean "listing-bom".*--host FILE --list/],
    [{ hosts: [toyDriver()], deadlin: 1 }, /unknown option `deadlin`/],
  ])('[CONF-7] refuses a wrong driver or option before anything runs: %#', async (options, message) => {
    await expect(runHostProfile(options as any)).rejects.toThrow(message)
    await expect(runHostProfile(options as any)).rejects.toThrow(TypeError)
  })
})
