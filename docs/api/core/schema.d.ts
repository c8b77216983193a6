// The public API of @repertoire/core/schema (values: 2, types: 1). Written by "npm run api".

import { Profile } from '@repertoire/core'
import { z } from 'zod'

// Values

export function frontmatterJsonSchema(profile?: Profile): Promise<Readonly<Record<string, unknown>>>;

export function loadFrontmatterSchema(profile?: Profile): Promise<FrontmatterSchema>;

// Types

export type FrontmatterSchema = z.ZodType<Readonly<Record<string, unknown>>>;
