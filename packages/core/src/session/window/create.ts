import { LRU_CACHE } from '../../lru-cache.ts'
import type { TokenCounter } from '../../ports/tokens.ts'
import { createWindowMemory, MAX_MEASURED_CHARS, type Measured } from '../../window/memory.ts'
import { resolveWindow, type WindowOptions } from '../../window/settings.ts'
import type { WindowContext } from './window.ts'

/**
 * Creates what the sessions of a repertoire keep their windows with.
 * @throws {TypeError} as `resolveWindow`
 */
export async function createWindow(
  options: WindowOptions,
  size: number,
  countTokens: TokenCounter | undefined,
): Promise<WindowContext> {
  const settings = resolveWindow(options, size, countTokens)
  const { LRUCache } = LRU_CACHE.loaded === undefined ? await LRU_CACHE.load() : LRU_CACHE.loaded
  const known = new LRUCache<string, Measured>({
    maxSize: MAX_MEASURED_CHARS,
    sizeCalculation: (_, text) => Math.max(1, text.length),
  })
  return { settings, memory: createWindowMemory(), known }
}
