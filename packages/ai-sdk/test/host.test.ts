import { runHostProfile } from '@repertoire/conformance/host'
import { expect, it } from 'vitest'
import { repertoireHost } from './repertoire-host.ts'

it('[CONF-7] passes every check of the host profile as a host, and none is n/a', async () => {
  const { results } = await runHostProfile({ hosts: [repertoireHost] })
  expect(results.filter(({ status }) => status !== 'pass' && status !== 'told')).toEqual([])
  expect(results.filter(({ status }) => status === 'pass').length).toBeGreaterThanOrEqual(45)
}, 120_000)
