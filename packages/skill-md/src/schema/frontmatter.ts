import type { z } from 'zod'
import { FIELDS } from '../fields/fields.ts'
import { oneOf } from '../options/kinds.ts'
import { checkArgument } from '../options/table.ts'
import { type Profile, PROFILES } from '../ports/manifest.ts'

/** A schema of parsed frontmatter, with the keys of the file. */
export type FrontmatterSchema = z.ZodType<Readonly<Record<string, unknown>>>

/**
 * Returns the zod schema of a frontmatter: the types, lengths and words that each known field takes. It takes all that
 * the parser reads without an error or a warning. The parser also checks names of fields, the grammar of tool rules,
 * patterns, parameters, and characters that are not shown. The first call imports zod.
 * @param profile `strict` accepts only the standard's fields; default `default`
 * @throws {TypeError} the profile does not exist
 */
export async function loadFrontmatterSchema(profile: Profile = 'default'): Promise<FrontmatterSchema> {
  checkArgument('frontmatter schema', 'profile', oneOf(...PROFILES), profile)
  const { z: zod } = await import('zod')
  const fields: Record<string, z.ZodType> = {}
  for (const [key, { isStandard, schema, summary }] of FIELDS) {
    if (profile === 'strict' && !isStandard) continue
    const described = schema(zod).meta({ description: summary })
    fields[key] = key === 'name' || key === 'description' ? described : described.optional()
  }
  const root = profile === 'strict' ? zod.strictObject(fields) : zod.looseObject(fields)
  return root.meta({ title: 'Frontmatter of a SKILL.md' })
}

/**
 * Returns the same as JSON Schema, draft 7, which editors read.
 * @param profile see `loadFrontmatterSchema`
 */
export async function frontmatterJsonSchema(profile: Profile = 'default'): Promise<Readonly<Record<string, unknown>>> {
  const schema = await loadFrontmatterSchema(profile)
  const { z: zod } = await import('zod')
  return zod.toJSONSchema(schema, { target: 'draft-7' })
}
