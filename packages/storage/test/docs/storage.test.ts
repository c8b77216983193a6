import { isMissing, startRedis } from '@repertoire/test-servers'
import { expect, it } from 'vitest'
import { inBucket, inPostgres } from './engines-example.ts'
import { openLibraries, openTenant } from './storage-example.ts'

it.skipIf(isMissing('redis-server'))(
  '[LIB-8, ADPT-4] the program of the page opens a tenant, whose catalog has what another process saves (needs redis-server)',
  async () => {
    const server = await startRedis()
    const options = { socket: { path: server.path, tls: false as const } }
    const [here, there] = await Promise.all([openLibraries(options), openLibraries(options)])
    const repertoire = await openTenant(here.stores, 'acme')
    try {
      const changed = new Promise<void>((resolve) => void repertoire.onChange(() => resolve()))
      await there.stores.tenant('acme').save({ manifest: { name: 'pdf', description: 'PDF.' }, body: 'Text.\n' })
      await changed
      expect(repertoire.catalog.get('pdf')).toMatchObject({ layer: 'project', manifest: { description: 'PDF.' } })
    } finally {
      await repertoire.close()
      for (const { client } of [here, there]) client.destroy()
      await server.close()
    }
  },
)

it('[LIB-8, ADPT-4] the other engines of the page are opened by a client of the host’s', () => {
  expect(inPostgres('postgres://localhost/nowhere').name).toBe('postgres')
  expect(inBucket('skills').name).toBe('s3')
})
