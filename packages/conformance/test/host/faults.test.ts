import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { hostChecks, runHostProfile } from '../../src/host.ts'
import type { HostFault } from './faults/break.ts'
import { activationFaults } from './faults/activation.ts'
import { brokenFaults } from './faults/broken.ts'
import { consentFaults } from './faults/consent.ts'
import { historyFaults } from './faults/history.ts'
import { isolationFaults, reloadFaults } from './faults/isolation.ts'
import { listingFaults } from './faults/listing.ts'
import { resourcesFaults } from './faults/resources.ts'
import { hostLies } from './lies.ts'
import { toyDriver } from './toy-host.ts'

/** Toy hosts with one fault each. */
const hostFaults = [
  ...listingFaults,
  ...brokenFaults,
  ...activationFaults,
  ...resourcesFaults,
  ...historyFaults,
  ...isolationFaults,
  ...reloadFaults,
  ...consentFaults,
]
const judged = hostChecks.filter(({ level }) => level !== 'INFO').map(({ id }) => id)
/** A fault meets its own checks, and one of so many of the others, each fault another part. */
const PARTS = 8
// They say something about the checks alone, and judge a hundred hosts.
const isOff = process.env['CI'] === undefined

/** Judges a toy host, and expects exactly what its fault implies to fail, for that reason. */
async function expectFailures({ fails, implies, change, because = 'expected ' }: HostFault, index: number) {
  const only = judged.filter((id, at) => fails.includes(id) || (at + index) % PARTS === 0)
  const { results } = await runHostProfile({ hosts: [toyDriver(change)], only })
  const failed = results.filter(({ status }) => status === 'fail')
  const surprising = failed.filter(({ id }) => !fails.includes(id) && implies?.test(id) !== true)
  expect(surprising.map(({ id, reason }) => ({ id, reason }))).toEqual([])
  expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining([...fails]))
  expect(failed.filter(({ reason }) => reason?.includes(because) !== true)).toEqual([])
  expect(results.filter(({ status }) => status === 'n/a')).toEqual([])
}

describe('the host profile', () => {
  it('[CONF-7] has at least 45 judged checks, each with a toy host that has one fault and fails it', () => {
    expect(judged.length).toBeGreaterThanOrEqual(45)
    const caught = new Set([...hostFaults, ...hostLies].flatMap(({ fails }) => fails))
    expect(judged.filter((id) => !caught.has(id))).toEqual([])
    expect([...caught].filter((id) => !judged.includes(id))).toEqual([])
  })

  it('[CONF-7] passes a host that loads skills correctly in every check, and tells what is not judged', async () => {
    const { results } = await runHostProfile({ hosts: [toyDriver()] })
    expect(results.filter(({ status, level }) => status !== (level === 'INFO' ? 'told' : 'pass'))).toEqual([])
    expect(results).toHaveLength(hostChecks.length)
  }, 60_000)

  it.skipIf(isOff).each(hostFaults.map((fault, index) => [fault.wrong, fault, index] as const))(
    '[CONF-7] fails a host that %s, in the checks that this concerns and in no other (only with CI set)',
    (_, fault, index) => expectFailures(fault, index),
    60_000,
  )

  it.skipIf(isOff).each(hostLies.map((lie, index) => [lie.wrong, lie, index] as const))(
    '[ABUSE-142] fails a host that %s, by the wire and by what ran (only with CI set)',
    (_, lie, index) => expectFailures(lie, index),
    60_000,
  )
})
