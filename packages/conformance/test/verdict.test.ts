import { expect, test } from 'vitest'
import { checkOf } from './one-check.ts'
import { loopDriver } from './loop-driver.ts'
import type { AdapterDriver, Capabilities } from '../src/driver.ts'
import type { VariantResult } from '../src/report/report.ts'
import { verdict } from '../src/verdict.ts'

const passed: VariantResult[] = [
  { variant: 'json', passed: true },
  { variant: 'sse', passed: true },
]
const failed: VariantResult[] = [
  { variant: 'json', passed: true },
  { variant: 'sse', passed: false, reason: 'It broke.' },
]
const check = checkOf(async () => {})
const needsAbort = checkOf(async () => {}, { needs: ['abort'] })
const capable = loopDriver()

function without(changes: Partial<Capabilities>): AdapterDriver {
  return loopDriver({ capabilities: { ...capable.capabilities, ...changes } })
}

function undeclared(...names: (keyof Capabilities)[]): AdapterDriver {
  const entries = Object.entries(capable.capabilities).filter(([name]) => !names.includes(name as keyof Capabilities))
  return loopDriver({ capabilities: Object.fromEntries(entries) as unknown as Capabilities })
}

test('[CONF-2] passes a check that passes in every variant, and says how each fared', () => {
  expect(verdict(capable, check, passed)).toEqual({
    adapter: 'loop',
    id: 'one',
    level: 'MUST',
    title: '[GATE-1] does what is asked',
    status: 'pass',
    variants: passed,
  })
})

test('[CONF-2] fails a check that fails in one variant, and names the variant', () => {
  expect(verdict(capable, check, failed)).toMatchObject({ status: 'fail', reason: 'in sse: It broke.' })
})

test('[CONF-2] names variants together that fail for one reason, and apart for several', () => {
  const reasons = (...texts: string[]) =>
    verdict(
      capable,
      check,
      texts.map((reason, index) => ({ variant: `v${index}`, passed: false, reason })),
    ).reason
  expect(reasons('A.', 'A.')).toBe('in v0 and v1: A.')
  expect(reasons('A.', 'B.', 'A.')).toBe('in v0 and v2: A.\nin v1: B.')
})

test('[CONF-2] fails a SHOULD as it fails a MUST, and keeps the level', () => {
  const should = checkOf(async () => {}, { level: 'SHOULD' })
  expect(verdict(capable, should, failed)).toMatchObject({ status: 'fail', level: 'SHOULD' })
})

test('[CONF-2] fails a check that needs an undeclared capability, with the exact line to add', () => {
  const present = verdict(undeclared('abort'), needsAbort, passed)
  expect(present.status).toBe('fail')
  expect(present.reason).toContain('does not declare the capability "abort", and the check passes: add `abort: true,`')
  const absent = verdict(undeclared('abort'), needsAbort, failed)
  expect(absent.status).toBe('fail')
  expect(absent.reason).toContain("add `abort: { absent: 'why not' },` to its capabilities")
  expect(absent.reason).toContain('in sse: It broke.')
})

test('[CONF-2] names every undeclared capability', () => {
  const both = checkOf(async () => {}, { needs: ['suspend', 'resume'] })
  const { reason } = verdict(undeclared('suspend', 'resume'), both, passed)
  expect(reason).toContain('`suspend: true,`')
  expect(reason).toContain('`resume: true,`')
})

test('[CONF-2] takes a capability of the prototype for an undeclared one', () => {
  const { abort: _, ...rest } = capable.capabilities
  const capabilities = Object.assign(Object.create({ abort: true }), rest) as Capabilities
  expect(verdict(loopDriver({ capabilities }), needsAbort, passed).status).toBe('fail')
})

test('[CONF-2] reports a check that needs an absent capability as not applicable, with the reason given', () => {
  const driver = without({ abort: { absent: 'the loop takes no signal' } })
  expect(verdict(driver, needsAbort, failed)).toMatchObject({
    status: 'n/a',
    reason: 'abort: the loop takes no signal',
  })
  expect(verdict(driver, check, passed).status).toBe('pass')
})

test('[CONF-2] fails a capability that is declared absent and present after all', () => {
  const driver = without({ abort: { absent: 'the loop takes no signal' } })
  const { status, reason } = verdict(driver, needsAbort, passed)
  expect(status).toBe('fail')
  expect(reason).toMatch(/present after all.*Declare `abort: true,`/)
})

test('[CONF-2] reports a known failure as known while it fails', () => {
  const driver = loopDriver({ known: { one: 'issue 12' } })
  expect(verdict(driver, check, failed)).toMatchObject({ status: 'known', reason: 'issue 12' })
})

test('[CONF-2] fails a known failure that passes until it is struck off', () => {
  const driver = loopDriver({ known: { one: 'issue 12' } })
  const { status, reason } = verdict(driver, check, passed)
  expect(status).toBe('fail')
  expect(reason).toBe('Listed as known ("issue 12"), and passes. Remove "one" from the driver\'s `known`.')
})

test('[CONF-2] takes an id that an object has by itself for no known failure', () => {
  const odd = checkOf(async () => {}, { id: 'constructor' })
  expect(verdict(loopDriver({ known: {} }), odd, failed).status).toBe('fail')
})

test('[CONF-2] does not let a known failure hide an absent capability', () => {
  const driver = { ...without({ abort: { absent: 'no signal' } }), known: { one: 'issue 12' } }
  expect(verdict(driver, needsAbort, failed).status).toBe('n/a')
  expect(verdict(driver, needsAbort, passed).status).toBe('fail')
})

test('[CONF-2] takes a failure that is known in one variant for that variant alone', () => {
  const known = { one: 'The vendor has no such thing.' }
  const driver = loopDriver({ variants: [{ name: 'json' }, { name: 'sse', known }] })
  expect(verdict(driver, check, failed)).toMatchObject({
    status: 'known',
    reason: 'in sse: The vendor has no such thing.',
    variants: failed,
  })
  expect(verdict(driver, check, passed)).toMatchObject({
    status: 'fail',
    reason: 'Listed as known in sse, and passes there. Remove "one" from the variant\'s `known`.',
  })
  const both = failed.map(({ variant }) => ({ variant, passed: false, reason: 'It broke.' }))
  expect(verdict(driver, check, both)).toMatchObject({ status: 'fail', reason: 'in json: It broke.' })
  expect(
    verdict(
      driver,
      checkOf(async () => {}, { id: 'two' }),
      failed,
    ),
  ).toMatchObject({ status: 'fail' })
})

test('[CONF-6] says of a check that passes how the adapter works around what the framework does not do', () => {
  const around = without({ abort: { workaround: 'by a race' } })
  expect(verdict(around, needsAbort, passed)).toMatchObject({ status: 'pass', workaround: 'abort: by a race' })
  expect(verdict(around, check, passed).workaround).toBeUndefined()
  expect(verdict(capable, needsAbort, passed).workaround).toBeUndefined()
  const broken = verdict(around, needsAbort, failed)
  expect(broken).toMatchObject({ status: 'fail', reason: 'in sse: It broke.' })
  expect(broken.workaround).toBeUndefined()
})
