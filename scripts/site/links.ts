import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

/**
 * Finds the links of a built site that lead to no page of it, or to no heading of one.
 * @param base the path that the site is served under: `/`, or `/name/`
 */
export function brokenLinks(site: string, base: string): readonly string[] {
  const files = globSync('**/*.html', { cwd: site }).toSorted()
  const pages = new Map(files.map((file) => [file, readFileSync(join(site, file), 'utf8')]))
  const anchors = new Map<string, ReadonlySet<string>>()
  const anchorsOf = (file: string): ReadonlySet<string> => {
    const known = anchors.get(file) ?? new Set(Array.from(pages.get(file)!.matchAll(/ id="([^"]+)"/g), ([, id]) => id!))
    anchors.set(file, known)
    return known
  }
  return files.flatMap((file) => {
    const links = new Set(Array.from(pages.get(file)!.matchAll(/ (?:href|src)="([^"]*)"/g), ([, link]) => link!))
    return [...links].flatMap((link) => {
      if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link)) return []
      const [path = '', anchor = ''] = link.replaceAll('&amp;', '&').split('#')
      const local = decodeURI(path.split('?')[0]!)
      if (local.startsWith('/') && !local.startsWith(base)) return [`${file}: ${link}`]
      const from = local.startsWith('/') ? local.slice(base.length) : posix.join(dirname(file), local)
      const target = local === '' ? file : targetOf(from.replace(/^\.\//, ''))
      if (target === undefined) return [`${file}: ${link}`]
      const isMissing = anchor !== '' && pages.has(target) && !anchorsOf(target).has(decodeURIComponent(anchor))
      return isMissing ? [`${file}: ${link}`] : []
    })
  })

  function targetOf(path: string): string | undefined {
    const candidates = [path, `${path}.html`, posix.join(path, 'index.html')]
    return candidates.find(
      (each) => pages.has(each) || (each !== '' && each !== '.' && !each.endsWith('/') && isFile(each)),
    )
  }

  function isFile(path: string): boolean {
    return /\.[a-z\d]+$/i.test(path) && existsSync(join(site, path))
  }
}
