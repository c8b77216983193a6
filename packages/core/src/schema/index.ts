/** The frontmatter as a zod schema and as JSON Schema. A reader of skills needs neither: they are for tools and editors. */
export { frontmatterJsonSchema, loadFrontmatterSchema, type FrontmatterSchema } from './frontmatter.ts'
