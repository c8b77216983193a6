/** The parts of the page's file. */
export interface PageParts {
  readonly style: string
  readonly script: string
  readonly policy: string
  /** The logs that it holds. */
  readonly logs: readonly EmbeddedLog[]
  /** What it says of them, as encoded JSON. */
  readonly introduction?: string | undefined
}

/** A log in the page's file: its name, and its text as gzip in base64. */
export interface EmbeddedLog {
  readonly name: string
  readonly data: string
}

/** Where embedded logs stand in the file. */
const LOGS_MARK = '<!--logs-->'

/** Writes the page as one file. No text of a log is in it as it is: names are encoded, and logs are base64. */
export function pageHtml({ style, script, policy, logs, introduction }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>Repertoire inspector</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The inspector needs JavaScript.</noscript>
${LOGS_MARK}${introduction === undefined ? '' : introductionElement(introduction)}${logs.map(logElement).join('')}
<script type="module">${script}</script>
</body>
</html>
`
}

function introductionElement(encoded: string): string {
  return `<script type="application/json" data-introduction="${encoded}"></script>`
}

/** One embedded log. */
function logElement({ name, data }: EmbeddedLog): string {
  return `<script type="application/gzip" data-log="${encodeURIComponent(name).replaceAll("'", '%27')}">${data}</script>`
}
