import { describe, expect, it } from 'vitest'
import { looksSecret, secretValues } from './secret-variables.ts'

describe('an environment variable', () => {
  it.each([
    ...['OPENAI_API_KEY', 'APIKEY', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'KEY'],
    ...['DB_PASS', 'DB_PWD', 'PGPASSWORD', 'SIGNING_PASSPHRASE', 'SENTRY_DSN', 'db_connection_string'],
  ])('named %s holds a secret', (name) => {
    expect(looksSecret(name, 'value')).toBe(true)
  })

  it.each(['PWD', 'OLDPWD', 'BYPASS', 'COMPASS', 'KEYBOARD', 'HOME', 'TOKENS_PER_MINUTE'])(
    'named %s does not hold a secret',
    (name) => {
      expect(looksSecret(name, 'value')).toBe(false)
    },
  )

  it('that is a URL with credentials is a secret, and so is the password in it', () => {
    const DATABASE_URL = 'postgres://app:hunter%402hunter@db.internal:5432/shop?sslmode=require'
    expect(secretValues({ DATABASE_URL, HOME: '/home/me', BASE_URL: 'https://api.example/v1' })).toEqual([
      DATABASE_URL,
      'hunter%402hunter',
      'hunter@2hunter',
      'app:hunter%402hunter@',
    ])
  })

  it('with an ordinary word as password does not make that word a secret', () => {
    const DATABASE_URL = 'postgres://postgres:postgres@localhost/app'
    expect(secretValues({ DATABASE_URL })).toEqual([DATABASE_URL, 'postgres:postgres@'])
  })

  it('that is a URL with a user name only does not hold a secret', () => {
    expect(looksSecret('REPOSITORY', 'ssh://git@github.com/a/b')).toBe(false)
  })
})
