import type { NextConfig } from 'next'

const config: NextConfig = {
  // The paths of the API end with a slash.
  skipTrailingSlashRedirect: true,
}

export default config
