import { findPlugin, readMarketplace } from '@repertoire/library'

/** Fetches the skills of one plugin of a marketplace. */
export async function fetchPlugin(marketplace: string, name: string) {
  const plugin = findPlugin(await readMarketplace(marketplace), name)
  const origin = await plugin.open()
  return origin.fetch()
}
