import { expect, test } from 'vitest'
import { checkOf } from './one-check.ts'
import { loopDriver } from './loop-driver.ts'
import type { AdapterDriver, Capabilities } from '../src/driver.ts'
import { checks } from '../src/checks/index.ts'
import type { AspectId } from '../src/oracle/scenario.ts'
import { verdict as decide } from '../src/verdict.ts'

const PASSED: readonly string[] = ['', '']
const FAILED: readonly string[] = ['', 'It broke.']
const check = checkOf(async () => {})
const needsAbort = checkOf(async () => {}, { needs: ['abort'] })
const capable = loopDriver()

/** The verdict on a check that fails in the variants with a reason. */
function verdict(driver: AdapterDriver, of: Parameters<typeof decide>[1], reasons: readonly string[]) {
  const played = reasons.map((reason, index) => ({
    variant: driver.variants[index] ?? { name: `v${index}` },
    found: reason === '' ? [] : [{ reason }],
  }))
  return decide(driver, of, played)
}

function without(changes: Partial<Capabilities>): AdapterDriver {
  return loopDriver({ capabilities: { ...capable.capabilities, ...changes } })
}

function undeclared(...names: (keyof Capabilities)[]): AdapterDriver {
  const entries = Object.entries(capable.capabilities).filter(([name]) => !names.includes(name as keyof Capabilities))
  return loopDriver({ capabilities: Object.fromEntries(entries) as unknown as Capabilities })
}

test('[CONF-2] passes a check that passes in every variant, and names them', () => {
  expect(verdict(capable, check, PASSED)).toEqual({
    adapter: 'loop',
    id: 'one',
    level: 'MUST',
    title: '[GATE-1] does what is asked',
    status: 'pass',
    variants: ['json', 'sse'],
  })
})

test('[CONF-2] fails a check that fails in one variant, whatever its level, and names the variants by their reasons', () => {
  const should = checkOf(async () => {}, { level: 'SHOULD' })
  expect(verdict(capable, should, FAILED)).toMatchObject({
    status: 'fail',
    level: 'SHOULD',
    reason: 'in sse: It broke.',
  })
  expect(verdict(capable, check, ['A.', 'A.']).reason).toBe('A.')
  expect(verdict(capable, check, ['A.', 'B.', 'A.']).reason).toBe('in json and v2: A.\nin sse: B.')
})

test('[CONF-2] fails a check that needs undeclared capabilities, with the exact lines to add', () => {
  const present = verdict(undeclared('abort'), needsAbort, PASSED)
  expect(present.status).toBe('fail')
  expect(present.reason).toContain('does not declare the capability "abort", and the check passes: add `abort: true,`')
  const absent = verdict(undeclared('abort'), needsAbort, FAILED)
  expect(absent.status).toBe('fail')
  expect(absent.reason).toContain("add `abort: { absent: 'why not' },` to its capabilities")
  expect(absent.reason).toMatch(/^in json: .*\nin sse: .* fix what fails: It broke\.$/)
  const both = checkOf(async () => {}, { needs: ['suspend', 'resume'] })
  expect(verdict(undeclared('suspend', 'resume'), both, PASSED).reason).toMatch(/`suspend: true,`[^]*`resume: true,`/)
})

test('[CONF-2] takes what an object has from its prototype for neither declared nor known', () => {
  const { abort: _, ...rest } = capable.capabilities
  const capabilities = Object.assign(Object.create({ abort: true }), rest) as Capabilities
  expect(verdict(loopDriver({ capabilities }), needsAbort, PASSED).status).toBe('fail')
  const odd = checkOf(async () => {}, { id: 'constructor' })
  expect(verdict(loopDriver({ known: {} }), odd, FAILED).status).toBe('fail')
})

test('[CONF-2] reports a check that needs an absent capability as not applicable, and fails if it is present after all', () => {
  const driver = { ...without({ abort: { absent: 'the loop takes no signal' } }), known: { one: 'issue 12' } }
  const reason = 'abort: the loop takes no signal'
  expect(verdict(driver, needsAbort, ['It broke.', 'It broke.'])).toMatchObject({ status: 'n/a', reason })
  expect(verdict(driver, needsAbort, FAILED).reason).toMatch(/^in json: Declared absent, and present after all/)
  const present = verdict(driver, needsAbort, PASSED)
  expect(present).toMatchObject({ status: 'fail' })
  expect(present.reason).toMatch(/present after all.*Declare `abort: true,`/)
})

test('[CONF-2, CONF-9] leaves out a variant that lacks what the check needs, and fails if it has it', () => {
  const abort = { absent: 'no signal here' }
  const driver = loopDriver({ variants: [{ name: 'json' }, { name: 'sse', capabilities: { abort } }] })
  expect(verdict(driver, needsAbort, FAILED)).toMatchObject({ status: 'pass', absent: 'in sse: abort: no signal here' })
  expect(verdict(driver, needsAbort, PASSED).reason).toMatch(/^in sse: Declared absent, and present after all/)
  expect(verdict(driver, needsAbort, ['It broke.', 'It broke.'])).toMatchObject({ reason: 'in json: It broke.' })
  expect(verdict(driver, check, FAILED)).toMatchObject({ status: 'fail' })
})

test('[CONF-2] reports a known failure as known while every variant fails, and turns red once one passes', () => {
  const driver = loopDriver({ known: { one: 'issue 12' } })
  expect(verdict(driver, check, ['It broke.', 'It broke.'])).toMatchObject({ status: 'known', reason: 'issue 12' })
  const text =
    'Listed as known, and is as core says. Remove "one" from `known`, or list it in the variants that differ.'
  expect(verdict(driver, check, PASSED)).toMatchObject({ status: 'fail', reason: text })
  expect(verdict(driver, check, FAILED)).toMatchObject({ status: 'fail', reason: `in json: ${text}` })
})

test('[CONF-2] takes a failure that is known in one variant for that variant alone', () => {
  const known = { one: 'The vendor has no such thing.' }
  const driver = loopDriver({ variants: [{ name: 'json' }, { name: 'sse', known }] })
  const reason = 'in sse: The vendor has no such thing.'
  expect(verdict(driver, check, FAILED)).toMatchObject({ status: 'known', reason })
  expect(verdict(driver, check, PASSED).reason).toMatch(/^in sse: Listed as known/)
  expect(verdict(driver, check, ['It broke.', 'It broke.'])).toMatchObject({ reason: 'in json: It broke.' })
})

test('[CONF-2, CONF-11] takes a known aspect of a scenario for that aspect alone, and shows each aspect by itself', () => {
  const scenario = checks.find(({ id }) => id === 'gate-rules')!
  const json = (known: AdapterDriver['known']) => loopDriver({ known, variants: [{ name: 'json' }] })
  const driver = json({ 'gate-rules/results': 'The framework words them.', '*/usage': 'It counts.' })
  const played = (...aspects: AspectId[]) => [
    { variant: { name: 'json' }, found: aspects.map((aspect) => ({ aspect, reason: 'Differs.' })) },
  ]
  expect(decide(driver, scenario, played('results', 'usage'))).toMatchObject({
    status: 'known',
    reason: 'results: The framework words them.',
    aspects: ['results', 'usage'],
  })
  const wide = decide(json({ '*/usage': 'It counts.' }), scenario, played('usage'))
  expect(wide).toMatchObject({ status: 'pass', differs: 'usage: It counts.', aspects: ['usage'] })
  const other = decide(driver, scenario, played('results', 'history'))
  expect(other).toMatchObject({ status: 'fail', reason: 'history: Differs.', aspects: ['results', 'history'] })
  // What is known of every scenario need not be met in each.
  expect(decide(driver, scenario, played()).reason).toContain('Remove "gate-rules/results" from `known`')
})

test('[CONF-6] says of a check that passes how the adapter works around what the framework does not do', () => {
  const around = without({ abort: { workaround: 'by a race' } })
  expect(verdict(around, needsAbort, PASSED)).toMatchObject({ status: 'pass', workaround: 'abort: by a race' })
  expect(verdict(around, check, PASSED).workaround).toBeUndefined()
  expect(verdict(capable, needsAbort, PASSED).workaround).toBeUndefined()
  expect(verdict(around, needsAbort, FAILED).workaround).toBeUndefined()
})
