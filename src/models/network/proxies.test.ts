import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../errors.ts'
import { type ProxySettings, readProxies } from './proxies.ts'

const proxyFor = (url: string, environment: Record<string, string>, settings: ProxySettings = {}) =>
  readProxies(settings, environment).proxyFor(new URL(url))?.shown

describe('the proxy of a request', () => {
  it('is the one that the environment names for its protocol, in lower or upper case', () => {
    const environment = {
      HTTP_PROXY: 'http://upper:1',
      http_proxy: 'lower:2',
      HTTPS_PROXY: 'https://secure/',
    }
    expect(proxyFor('http://a/', environment)).toBe('http://lower:2')
    expect(proxyFor('https://a/', environment)).toBe('https://secure')
    expect(proxyFor('http://127.0.0.1:8080/', { HTTP_PROXY: 'http://p:1' })).toBe('http://p:1')
    expect(proxyFor('https://a/', { HTTP_PROXY: 'http://p:1' })).toBeUndefined()
    expect(proxyFor('http://a/', { HTTP_PROXY: 'http://p:1', http_proxy: '' })).toBe('http://p:1')
    expect(proxyFor('http://a/', { HTTP_PROXY: '' })).toBeUndefined()
  })

  it('is the one of the config, whatever the environment says', () => {
    const environment = { HTTP_PROXY: 'nonsense://', HTTPS_PROXY: 'http://q:1', NO_PROXY: 'exempt' }
    for (const url of ['http://a/', 'https://a/'])
      expect(proxyFor(url, environment, { proxy: 'http://p:1' })).toBe('http://p:1')
    expect(proxyFor('https://exempt/', environment, { proxy: 'http://p:1' })).toBeUndefined()
    expect(proxyFor('https://exempt/', environment, { proxy: 'http://p:1', noProxy: '' })).toBe('http://p:1')
    expect(proxyFor('https://a/', environment, { proxy: false })).toBeUndefined()
  })

  it.each([
    ['example.com', 'http://example.com', true],
    ['example.com', 'http://EXAMPLE.com./', true],
    ['example.com', 'http://api.example.com', true],
    ['example.com', 'http://badexample.com', false],
    ['.example.com', 'http://example.com', true],
    ['*.example.com', 'http://api.example.com', true],
    ['Example.com:8080', 'http://example.com:8080', true],
    ['example.com:8080', 'http://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['a, b\tc', 'http://c', true],
    ['*', 'http://anything', true],
    ['127.0.0.1', 'http://127.0.0.1:5', true],
    ['0.0.1', 'http://127.0.0.1:5', false],
    ['localhost', 'http://127.0.0.1', false],
    ['10.0.0.0/8', 'http://10.20.30.40', true],
    ['10.0.0.0/8', 'http://11.0.0.1', false],
    ['10.0.0.0/99', 'http://10.0.0.1', false],
    ['::1', 'http://[::1]:80', true],
    ['[::1]:80', 'http://[::1]', true],
    ['[::1]:81', 'http://[::1]', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['10.0.0.0/8', 'http://ten.example', false],
  ])('is bypassed with NO_PROXY=%j for %s: %s', (list, url, isDirect) => {
    const proxies = { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1' }
    for (const name of ['NO_PROXY', 'no_proxy'])
      expect(proxyFor(url, { ...proxies, [name]: list })).toBe(isDirect ? undefined : 'http://p:1')
  })

  it('receives name and password, which are secrets and not shown', () => {
    const proxies = readProxies({ proxy: 'http://ann%40x:pass%20word@p:1' }, {})
    const proxy = proxies.proxyFor(new URL('http://a'))
    expect(proxy).toMatchObject({ shown: 'http://p:1', authorization: `Basic ${btoa('ann@x:pass word')}` })
    expect(proxy?.url.href).toBe('http://p:1/')
    expect(proxies.secrets).toEqual(['ann@x', 'pass word', 'ann@x:pass word'])
  })

  it.each([
    ['socks5://user:secret-word@p:1', 'not socks5://'],
    ['http://user:secret-word@:80', 'HTTPS_PROXY is not the URL of a proxy'],
    ['http://user:secret-word@p:port', 'HTTPS_PROXY is not the URL of a proxy'],
    ['http://user:%E0secret-word@p', 'HTTPS_PROXY is not the URL of a proxy'],
    ['a proxy', 'HTTPS_PROXY is not the URL of a proxy'],
  ])('cannot be %j, and the error does not show its password', (text, words) => {
    const read = () => readProxies({}, { HTTPS_PROXY: text })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(words)
    expect(read).not.toThrow('secret-word')
  })
})
