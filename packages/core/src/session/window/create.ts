import type { TokenCounter } from '@repertoire/skill-md/internal'
import { createWindowMemory, MAX_MEASURED_CHARS, type Measured } from '../../window/memory.ts'
import { resolveWindow, type WindowOptions } from '../../window/settings.ts'
import { LRUCache } from 'lru-cache'
import type { WindowContext } from '../context.ts'

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
  const known = new LRUCache<string, Measured>({
    maxSize: MAX_MEASURED_CHARS,
    sizeCalculation: (_, text) => Math.max(1, text.length),
  })
  return { settings, memory: createWindowMemory(), known }
}
