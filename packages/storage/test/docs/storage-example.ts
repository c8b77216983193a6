import { openRepertoire } from '@repertoire/core'
import { openSkillStores, redisEngine } from '@repertoire/storage'
import type { SkillStores } from '@repertoire/storage'
import { createClient, type RedisClientOptions } from 'redis'

/** Opens the skills of all tenants. Once in each process. */
export async function openLibraries(options: RedisClientOptions) {
  const client = createClient(options)
  client.on('error', (error: Error) => process.emitWarning(error))
  await client.connect()
  const stores = await openSkillStores({ engine: redisEngine({ client }) })
  return { client, stores }
}

/** The skills of one tenant, which change while it is open. */
export function openTenant(stores: SkillStores, tenant: string) {
  return openRepertoire({ sources: [stores.tenant(tenant)], watch: true })
}
