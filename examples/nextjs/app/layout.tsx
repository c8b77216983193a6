export const metadata = { title: 'Chat with skills' }

export default function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body style={{ margin: '2rem' }}>{children}</body>
    </html>
  )
}
