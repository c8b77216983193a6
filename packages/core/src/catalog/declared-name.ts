import { HEAD_BYTES } from '../ports/limits.ts'

const MAX_DECLARED_CHARS = 200

/**
 * Returns the name in a broken manifest, so that a user who searches for the name finds the file. A line that looks like
 * a name field is enough.
 */
export function declaredName(head: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8').decode(head.subarray(0, HEAD_BYTES))
  const value = /^name:[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s#][^\r\n#]*))/m.exec(text)
  return (value?.[1] ?? value?.[2] ?? value?.[3])?.trim().slice(0, MAX_DECLARED_CHARS) || undefined
}
