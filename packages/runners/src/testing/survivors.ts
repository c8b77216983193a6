import { readdirSync, readFileSync } from 'node:fs'

const PATIENCE_MS = 2_000
const STEP_MS = 20

/** How many processes of this machine hold a text in their command lines, after those that are ending have ended. */
export async function survivorsHere(marker: string): Promise<number> {
  const until = performance.now() + PATIENCE_MS
  let found = count(marker)
  while (found > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    found = count(marker)
  }
  return found
}

function count(marker: string): number {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandLineOf(name).includes(marker)).length
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
