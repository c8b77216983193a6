import { isSkillError } from '@repertoire/core'
import type { StoredFile } from '../engine.ts'
import { type FileReader, hashOf } from '../files.ts'
import type { PackFile, TenantSkills } from './record.ts'

/** As much of a manifest as a scan needs. */
const HEAD_BYTES = 4096

/** So many manifests are read by themselves before a pack is made of all. */
const MAX_UNPACKED = 32

/** The beginnings of manifests by the hashes of the manifests. */
export type ManifestHeads = ReadonlyMap<string, Uint8Array>

/** Reads a pack: its first line is JSON, with the hashes and lengths of the bytes behind it. A damaged one is empty. */
export async function readPack(files: FileReader, pack: PackFile | undefined): Promise<ManifestHeads> {
  const bytes = pack && (await files.readAll([pack])).get(pack.hash)
  if (bytes === undefined) return new Map()
  const start = bytes.indexOf(10)
  const lines = JSON.parse(new TextDecoder().decode(bytes.subarray(0, start))) as readonly (readonly [string, number])[]
  let at = start + 1
  return new Map(lines.map(([hash, length]) => [hash, bytes.subarray(at, (at += length))]))
}

/**
 * Returns the pack that a record is to have, so that a scan of a thousand skills takes a few calls. It is the one
 * before until too many manifests are not in it.
 */
export async function packFor(
  reader: FileReader,
  before: PackFile | undefined,
  skills: TenantSkills['skills'],
  files: readonly StoredFile[],
): Promise<{ readonly file: PackFile | undefined; readonly written: readonly StoredFile[] }> {
  const kept = { file: before, written: [] }
  if (skills.size <= MAX_UNPACKED) return kept
  const packed = await readPack(reader, before)
  const manifests = manifestsOf(skills)
  const missing = manifests.filter(({ hash }) => !packed.has(hash))
  if (missing.length <= MAX_UNPACKED) return kept
  const given = new Map(files.map(({ hash, bytes }) => [hash, bytes]))
  const read = await reader.readAll(missing.filter(({ hash }) => !given.has(hash)))
  const heads = manifests.flatMap(({ hash }) => {
    const bytes = packed.get(hash) ?? given.get(hash) ?? read.get(hash)
    return bytes === undefined ? [] : [[hash, bytes.subarray(0, HEAD_BYTES)] as const]
  })
  const first = `${JSON.stringify(heads.map(([hash, { length }]) => [hash, length]))}\n`
  const bytes = Buffer.concat([Buffer.from(first), ...heads.map(([, head]) => head)])
  const hash = hashOf(bytes)
  return { file: { hash, size: bytes.length }, written: [{ hash, bytes }] }
}

function manifestsOf(skills: TenantSkills['skills']): readonly PackFile[] {
  return [...skills.values()].flatMap((skill) => (isSkillError(skill) ? [] : (skill.files.get('SKILL.md') ?? [])))
}
