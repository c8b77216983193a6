import { expect, it } from 'vitest'
import { hostChecks, runHostProfile } from '../../src/host.ts'
import { toyDriver } from './toy-host.ts'

it('[CONF-7] passes a host that loads skills correctly in every check, and tells what is not judged', async () => {
  const { results } = await runHostProfile({ hosts: [toyDriver()] })
  expect(results.filter(({ status, level }) => status !== (level === 'INFO' ? 'told' : 'pass'))).toEqual([])
  expect(results).toHaveLength(hostChecks.length)
}, 60_000)
