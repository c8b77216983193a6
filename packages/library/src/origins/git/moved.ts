import type { OriginOptions } from '../options.ts'
import { download } from '../web/download.ts'
import type { GitAddress } from './address.ts'

const QUESTION = '/info/refs?service=git-upload-pack'
const MAX_BYTES = 64 * 1024 * 1024

/**
 * Returns where a repository has moved to, as its server says: git itself follows no redirects, since it would not judge
 * them. Undefined: nowhere.
 */
export async function movedTo(
  { source, url }: GitAddress,
  options: OriginOptions & { readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (!/^https?:/.test(url)) return undefined
  try {
    const { onProgress: _unused, ...quiet } = options
    const { url: last } = await download(source, new URL(url + QUESTION), { ...quiet, maxBytes: MAX_BYTES })
    const moved = last.href.endsWith(QUESTION) ? last.href.slice(0, -QUESTION.length) : url
    return moved === url ? undefined : moved
  } catch {
    return undefined
  }
}
