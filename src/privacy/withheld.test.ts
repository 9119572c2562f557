import { describe, expect, it } from 'vitest'
import { looksSecret, secretValues } from './withheld.ts'

describe('a variable of the environment', () => {
  it.each([
    ...['OPENAI_API_KEY', 'APIKEY', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'GITHUB_TOKEN', 'KEY'],
    ...['DB_PASS', 'DB_PWD', 'PGPASSWORD', 'SIGNING_PASSPHRASE', 'SENTRY_DSN', 'db_connection_string'],
  ])('that is called %s holds a secret', (name) => {
    expect(looksSecret(name, 'value')).toBe(true)
  })

  it.each(['PWD', 'OLDPWD', 'BYPASS', 'COMPASS', 'KEYBOARD', 'HOME', 'TOKENS_PER_MINUTE'])(
    'that is called %s holds none',
    (name) => {
      expect(looksSecret(name, 'value')).toBe(false)
    },
  )

  it('holds a secret when it is a URL with credentials, and its password is one by itself', () => {
    const DATABASE_URL = 'postgres://app:hunter%402hunter@db.internal:5432/shop?sslmode=require'
    expect(secretValues({ DATABASE_URL, HOME: '/home/me', BASE_URL: 'https://api.example/v1' })).toEqual([
      DATABASE_URL,
      'hunter%402hunter',
      'hunter@2hunter',
      'app:hunter%402hunter@',
    ])
  })

  it('does not make ordinary words secrets that are used as a password', () => {
    const DATABASE_URL = 'postgres://postgres:postgres@localhost/app'
    expect(secretValues({ DATABASE_URL })).toEqual([DATABASE_URL, 'postgres:postgres@'])
  })

  it('that is a URL with a name alone holds none', () => {
    expect(looksSecret('REPOSITORY', 'ssh://git@github.com/a/b')).toBe(false)
  })
})
