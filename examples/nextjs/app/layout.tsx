import { Suspense } from 'react'

/** With `cacheComponents`, a page that reads its address stands inside of a `Suspense`. */
export default function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body style={{ margin: '2rem' }}>
        <Suspense>{children}</Suspense>
      </body>
    </html>
  )
}
