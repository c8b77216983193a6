import type { z } from 'zod'
import { FIELDS } from '../fields/fields.ts'
import { findHidden } from '../hidden.ts'
import { oneOf } from '../options/kinds.ts'
import { checkArgument } from '../options/table.ts'
import type { Profile } from '../ports/manifest.ts'
import { PROFILES } from '../profiles.ts'
import { isSuspicious, keywordsOfMetadata, keywordsOfMisspellings } from './misspelled.ts'
import { createShapeReader, type Zod } from './shapes.ts'

/** A schema of parsed frontmatter, with the keys of the file. */
export type FrontmatterSchema = z.ZodType<Readonly<Record<string, unknown>>>

const REQUIRED: ReadonlySet<string> = new Set(['name', 'description'])

/**
 * Returns the zod schema of a frontmatter, made from the same data that the parser's rules use. The parser reads what the
 * schema accepts without an error or a warning, except for what a value does not show: whether the name equals the
 * folder's, whether other clients accept its letters, and whether text without quotes could be a date. The first call
 * imports zod.
 * @param profile `strict` accepts only the standard's fields; default `default`
 * @throws {TypeError} the profile does not exist
 */
export async function loadFrontmatterSchema(profile: Profile = 'default'): Promise<FrontmatterSchema> {
  return frontmatterSchema(await import('zod'), profile)
}

/**
 * Returns the same as JSON Schema, draft 7, which editors read. It cannot express everything in the zod schema: invisible
 * characters, restricting fields with two letters wrong, and fields that stand deeper than directly under `metadata`.
 * @param profile see `loadFrontmatterSchema`
 */
export async function frontmatterJsonSchema(profile: Profile = 'default'): Promise<Readonly<Record<string, unknown>>> {
  const zod = await import('zod')
  return zod.z.toJSONSchema(frontmatterSchema(zod, profile), { target: 'draft-7' })
}

function frontmatterSchema(zod: Zod, profile: Profile): FrontmatterSchema {
  checkArgument('frontmatter schema', 'profile', oneOf(...PROFILES), profile)
  const { z: build } = zod
  const read = createShapeReader(zod, profile)
  const fields: Record<string, z.ZodType> = {}
  for (const [key, field] of FIELDS) {
    if (profile === 'strict' && field.origin !== 'standard') continue
    const keywords = key === 'metadata' ? keywordsOfMetadata() : {}
    const schema = read(field.shape).meta({ description: field.summary, ...keywords })
    fields[key] = REQUIRED.has(key) ? schema : schema.optional()
  }
  const root = profile === 'strict' ? build.strictObject(fields) : build.looseObject(fields)
  return root
    .refine((value) => !isSuspicious(value), {
      error: 'A key misspells a known field, or a field stands where it has no effect.',
    })
    .refine((value) => Object.entries(value).every(isFreeOfHidden), {
      error: 'A text holds characters that are not shown.',
    })
    .refine((value) => value['agent'] === undefined || value['context'] === 'fork', {
      path: ['agent'],
      error: 'It has an effect only with "context: fork".',
    })
    .meta({
      title: 'Frontmatter of a SKILL.md',
      ...(profile !== 'strict' && keywordsOfMisspellings()),
      ...(profile !== 'strict' && {
        anyOf: [
          { not: { required: ['agent'] } },
          { required: ['context'], properties: { context: { const: 'fork' } } },
        ],
      }),
    })
}

/** Whether a field holds no hidden characters. If its rule checks for them itself, its shape does too. */
function isFreeOfHidden([key, value]: readonly [string, unknown]): boolean {
  return !holdsHidden(key) && (FIELDS.get(key)?.looksForHidden === true || !holdsHidden(value))
}

function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return findHidden(value) !== undefined
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => holdsHidden(key) || holdsHidden(inner))
}
