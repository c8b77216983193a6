import { readMarketplace } from '@repertoire/library'

/** Fetches the skills of one plugin of a marketplace. */
export async function fetchPlugin(marketplace: string, name: string) {
  const { plugins } = await readMarketplace(marketplace)
  const plugin = plugins.find((each) => each.name === name)
  if (plugin === undefined) throw new Error(`Its plugins are ${plugins.map((each) => each.name).join(', ')}.`)
  const origin = await plugin.open()
  return origin.fetch()
}
