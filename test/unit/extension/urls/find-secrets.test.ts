import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSecrets } from '../../../../extension/urls/find-secrets.ts';

const RANDOM = 'q8Zr2LmX0vNf4TbK9sYd';
const HEX = 'd41d8cd98f00b204e9800998ecf8427e';
const JWT =
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

const parameter = (...names: string[]) => names.map((name) => ({ kind: 'parameter', name }));

describe('a secret is found in', () => {
  test.each([
    [`https://example.com/?token=${RANDOM}`, ['token'], 'https://example.com/'],
    [
      `https://example.com/?a=1&access_token=${RANDOM}&b`,
      ['access_token'],
      'https://example.com/?a=1&b',
    ],
    [`https://example.com/?accessToken=${HEX}`, ['accessToken'], 'https://example.com/'],
    [`https://example.com/?any=${JWT}&q=1`, ['any'], 'https://example.com/?q=1'],
    [
      `https://example.com/?key=AIzaSyD4iE2xVSpkLLOXoyqT-RuPwURN3ddScAI`,
      ['key'],
      'https://example.com/',
    ],
    [`https://example.com/?auth=${RANDOM}`, ['auth'], 'https://example.com/'],
    [
      `https://example.com/cb?code=${HEX}&state=xyz&q=1`,
      ['code', 'state'],
      'https://example.com/cb?q=1',
    ],
    [
      `https://example.com/?PHPSESSID=n4p1q8vk2l0m3t7c6d5e9f8a1b`,
      ['PHPSESSID'],
      'https://example.com/',
    ],
    [`https://example.com/?sid=${HEX}`, ['sid'], 'https://example.com/'],
    [`https://example.com/?session=${RANDOM}`, ['session'], 'https://example.com/'],
    [
      `https://example.com/?ASP.NET_SessionId=${RANDOM}`,
      ['ASP.NET_SessionId'],
      'https://example.com/',
    ],
    [
      `https://gitlab.com/api/v4/projects?private_token=glpat-${RANDOM}`,
      ['private_token'],
      'https://gitlab.com/api/v4/projects',
    ],
    [
      `https://gitlab.com/a.atom?feed_token=glft-${RANDOM}`,
      ['feed_token'],
      'https://gitlab.com/a.atom',
    ],
    [`https://example.com/?x-api-key=${RANDOM}`, ['x-api-key'], 'https://example.com/'],
    [`https://example.com/?access_key=${RANDOM}`, ['access_key'], 'https://example.com/'],
    [`https://example.com/?secretKey=${RANDOM}`, ['secretKey'], 'https://example.com/'],
    [`https://example.com/?SAMLResponse=${RANDOM}%3D`, ['SAMLResponse'], 'https://example.com/'],
    ['https://example.com/?passphrase=hunter2', ['passphrase'], 'https://example.com/'],
    [
      'https://us02web.zoom.us/j/81234567890?pwd=QWJjRGVm',
      ['pwd'],
      'https://us02web.zoom.us/j/81234567890',
    ],
    [
      'https://example.com/cb?code=sk-proj-abcdefghijklmnopqrstuvwx',
      ['code'],
      'https://example.com/cb',
    ],
    ['https://example.com/?k=AKIAIOSFODNN7EXAMPLE&q=1', ['k'], 'https://example.com/?q=1'],
    [`https://example.com/?t=ghp_${'a1B2'.repeat(9)}`, ['t'], 'https://example.com/'],
    ['https://example.com/?password=hunter2', ['password'], 'https://example.com/'],
    ['https://example.com/?access_token=12345678', ['access_token'], 'https://example.com/'],
    ['https://example.com/?client_secret=correct-horse', ['client_secret'], 'https://example.com/'],
    [
      'https://cas.example/?ticket=ST-1856339-aA5Yuvrxzpv8Tau1cYQ7',
      ['ticket'],
      'https://cas.example/',
    ],
    [
      `https://example.com/#access_token=${RANDOM}&token_type=bearer`,
      ['access_token'],
      'https://example.com/',
    ],
    [`https://example.com/#id_token=${JWT}`, ['id_token'], 'https://example.com/'],
    [
      `https://example.com/#/route?token=${RANDOM}&a=1`,
      ['token'],
      'https://example.com/#/route?a=1',
    ],
    ['https://example.com/?email=a@b.example&q=1', ['email'], 'https://example.com/?q=1'],
    ['https://example.com/?u=me%2Bnews%40mail.example', ['u'], 'https://example.com/'],
    [
      'https://eur01.safelinks.protection.outlook.com/?data=05%7C02%7Cme%40x.example%7C1&a=1',
      ['data'],
      'https://eur01.safelinks.protection.outlook.com/?a=1',
    ],
    [`https://example.com/?to%6Ben=${RANDOM}`, ['token'], 'https://example.com/'],
  ])('%s, and can be removed', (url, names, without) => {
    expect(findSecrets(url)).toEqual({ secrets: parameter(...names), without });
  });

  test.each([
    ['https://me:secret@example.com/a?b#c', 'credentials', 'https://example.com/a?b#c'],
    ['http://token@example.com', 'credentials', 'http://example.com'],
    [`https://example.com/a;jsessionid=${HEX}?b`, 'path_token', 'https://example.com/a?b'],
  ])('%s, and the rest stays', (url, kind, without) => {
    expect(findSecrets(url)).toEqual({ secrets: [{ kind }], without });
  });

  test.each([
    [
      `https://b.s3.amazonaws.com/f?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F20250101&X-Amz-Signature=${HEX}${HEX}`,
      parameter('X-Amz-Signature'),
    ],
    [
      `https://storage.googleapis.com/b/f?X-Goog-Signature=${HEX}${HEX}`,
      parameter('X-Goog-Signature'),
    ],
    [
      'https://a.blob.core.windows.net/c/f?sv=2022-11-02&se=2030-01-01T00%3A00Z&sr=b&sp=r&sig=x7Qz%2BfK3mV9wYt2LrB8nHc5JdPaSgEuTk1oXiZ6M4W0%3D',
      parameter('sig'),
    ],
    [
      `https://example.com/users/password/edit?reset_password_token=${RANDOM}`,
      parameter('reset_password_token'),
    ],
    [
      'https://example.com/auth?mode=resetPassword&oobCode=Vx3kT9bQ2mL8rZ5wYh1nCf7',
      parameter('oobCode'),
    ],
    [`https://example.com/reset-password/${RANDOM}`, [{ kind: 'reset_link' }]],
    [
      'https://example.com/accounts/reset/MQ/c5x1ab-8f3a91c04be27d5561fa/',
      [{ kind: 'reset_link' }],
    ],
    [`https://example.com/forgot_password?u=${HEX}`, [{ kind: 'reset_link' }]],
    [
      'https://example.com/magic-link/550e8400-e29b-41d4-a716-446655440000',
      [{ kind: 'reset_link' }],
    ],
    [`https://example.com/join?invitation_token=${RANDOM}`, parameter('invitation_token')],
    [`https://example.com/users/unlock?unlock_token=${RANDOM}`, parameter('unlock_token')],
    [
      `https://calendar.google.com/calendar/ical/me%40example.com/private-${HEX}/basic.ics`,
      [{ kind: 'path_token' }],
    ],
    [`https://hooks.slack.com/services/T0123ABCD/B0123ABCD/${RANDOM}`, [{ kind: 'path_token' }]],
    [`https://discord.com/api/webhooks/1234567890/${RANDOM}`, [{ kind: 'path_token' }]],
    [`https://api.telegram.org/bot123456789:${RANDOM}/getMe`, [{ kind: 'path_token' }]],
    ['https://drive.proton.me/urls/K2M0WR4T6W#FmDxk7tPEWuU', [{ kind: 'fragment_key' }]],
    [`https://example.com/view/${JWT}`, [{ kind: 'path_token' }]],
    ['https://mega.nz/file/abCD1234#k-9XyZ_w8vUtSrQp0oNmLkJiHgFeDcBa', [{ kind: 'fragment_key' }]],
    ['https://mega.nz/#!abCD1234!k9XyZw8vUtSrQp0oNmLkJiHgFeDcBa', [{ kind: 'fragment_key' }]],
    [
      'https://privatebin.net/?8b1c4f6a90e3d275#GrwK8pZ3nYv5tQm2XsB7cJ4hLd9fTaUe6RkWxNiVoEyP',
      [{ kind: 'fragment_key' }],
    ],
    [
      'https://send.vis.ee/download/0123456789abcdef/#Ab3dE5fG7hJ9kL1mN2pQ4r',
      [{ kind: 'fragment_key' }],
    ],
    ['https://cryptpad.fr/pad/#/2/pad/edit/fXhBEq3dQwPz7VnKtRmL0sYc/', [{ kind: 'fragment_key' }]],
    [
      'https://excalidraw.com/#room=2f6b1c9a0d3e4f5a6b7c,uT3xQ9vLm2ZkR7wYh4nBcA',
      [{ kind: 'fragment_key' }],
    ],
    [
      'https://excalidraw.com/#json=5f3KxQ9vLm2ZkR7w,uT3xQ9vLm2ZkR7wYh4nBcA',
      [{ kind: 'fragment_key' }],
    ],
    [
      'https://send.bitwarden.com/#Xk3vQ9mLr2ZtB7wYh4nC/uT3xQ9vLm2ZkR7wYh4nBcA',
      [{ kind: 'fragment_key' }],
    ],
    [
      'https://vault.example/#/send/Xk3vQ9mLr2ZtB7wYh4nC/uT3xQ9vLm2ZkR7wYh4nBcA',
      [{ kind: 'fragment_key' }],
    ],
    ['https://wormhole.app/VdeZmd#mYv5tQm2XsB7cJ4hLd9fTaUe', [{ kind: 'fragment_key' }]],
  ])('%s, and the URL does not work without it', (url, secrets) => {
    expect(findSecrets(url)).toEqual({ secrets });
  });
});

describe('no secret is found in', () => {
  test.each([
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLFgquLnL59alCl_2TQvOiD5Vgm1hCaGSI&index=2',
    'https://youtu.be/dQw4w9WgXcQ?si=3kXQ9vLm2ZkR7wYh&t=42',
    'https://www.google.com/search?q=access_token+how+to&ei=aB3dE5fG7hJ9kL1mN2pQ4r&ved=0ahUKEwi8x',
    'https://www.google.com/maps/place/X/@48.85,2.29,17z/data=!3m1!4b1!4m6!3m5!1s0x47e66e2964e34e2d:0x8ddca9ee380ef7e0',
    'https://maps.example/?key=value&q=Paris',
    'https://example.com/?code=US',
    'https://example.com/?code=US&state=CA',
    'https://shop.example/?code=SUMMER25&id=7&page=2',
    'https://example.com/?token=ETH&sid=12',
    'https://dex.example/?token=0xdAC17F958D2ee523a2206206994597C13D831ec7',
    'https://example.com/?key=my-long-article-title-2024',
    'https://example.com/?ticket=PROJ-1234',
    'https://example.com/?session=3&auth=none&signature=no',
    'https://example.com/?pageToken=CAoQAA8x7Qz2fK3mV9wYt2',
    'https://example.com/?id=550e8400-e29b-41d4-a716-446655440000',
    `https://example.com/commit/${HEX}`,
    'https://github.com/a/b/pull/1/files#diff-7a37b1ef6b1c4f6a90e3d2758b1c4f6a90e3d2757a37b1ef6b1c4f6a90e3d275',
    'https://github.com/a/b/blob/main/x.ts#L10-L20',
    'https://github.com/a/b/issues/1#issuecomment-1234567890',
    'https://www.notion.so/Page-a1b2c3d4e5f64a7b8c9d0e1f2a3b4c5d#0f1e2d3c4b5a49688776655443322110',
    'https://docs.google.com/document/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdEFG/edit#heading=h.4d34og8x7k2m',
    'https://docs.google.com/presentation/d/1AbCdEf/edit#slide=id.g2b3c4d5e6f_0_12',
    'https://en.wikipedia.org/wiki/FIFA#List_of_2020s_Films_in_English_and_French_2',
    'https://example.com/#/foo',
    'https://example.com/#/foo/bar?tab=2',
    'https://example.com/#!/2/inbox/all',
    'https://example.com/#:~:text=access_token=abcdefgh12345678',
    'https://example.com/#section-2',
    'https://confluence.example/display/X/Page#ConfiguringSSLForHTTPS2023',
    'https://developer.example/uikit#UIViewControllerTransitioning3DTouchABCDef',
    'https://example.com/?access_key=none&session=summer-2024&private_token=',
    'https://example.com/services/Tailoring/Bespoke/about',
    'https://www.figma.com/design/AbCdEf123456/Name?node-id=1-2&t=AbCdEf123456GhIj-1',
    'https://www.linkedin.com/in/me?trackingId=AbC123dEf456GhI789%3D%3D',
    'https://mail.google.com/mail/u/0/#inbox/FMfcgzGtxKRTLMqnZbXcVdFPbWJtHqgK',
    'https://www.amazon.de/dp/B0?keywords=key&qid=1700000000&sr=8-1&crid=2A3B4C5D6E7F8',
    'https://jira.example/secure/RapidBoard.jspa?selectedIssue=AB-1&projectKey=LONGPROJECTKEY1',
    'https://example.com/a;v=1/b;c=2',
    'https://example.com/login?next=%2Freset-password',
    'https://example.com/reset-password',
    'https://help.example/articles/how-to-reset-password-on-iphone-15-3f2a1b4c5d6e',
    'https://example.com/docs/access-token',
    'https://example.com/@user/post@1',
    'https://example.com/?pkg=react@18.2.0',
    'https://example.com/?user=@name.example',
    'https://example.com/?id=12345@N00',
    'https://us02web.zoom.us/j/1234567890',
    'https://www.amazon.com/dp/B08N5WRWNW?th=1&psc=1',
    'https://open.spotify.com/track/4cOdK2wGLETKBW3PvgPWqT?si=7b1c4f6a90e3d275',
    'http://localhost:8080/page?utm_source=x',
    'chrome://version/',
    'not a URL',
    '',
  ])('%s', (url) => {
    expect(findSecrets(url)).toBeUndefined();
  });
});

describe('for any URL', () => {
  const value = fc.stringMatching(/^[\w%.+=&;:~!-]{0,40}$/);
  const url = fc
    .tuple(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.constantFrom('?', '#', '#/x?', '&', '/'),
      fc.constantFrom('token=', 'sig=', 'code=a&state=', 'password=', ''),
      fc.oneof(value, fc.constantFrom(RANDOM, HEX, JWT)),
    )
    .map((parts) => parts.join(''));

  test('the URL without the secrets has none, and is still a URL', () => {
    fc.assert(
      fc.property(url, (url) => {
        const without = findSecrets(url)?.without;
        if (without === undefined) return;
        expect(findSecrets(without)).toBeUndefined();
        expect(new URL(without).host).toBe(new URL(url).host);
      }),
      { numRuns: 200 },
    );
  });

  test('only names are returned, never values', () => {
    fc.assert(
      fc.property(fc.constantFrom('token', 'sid', 'any'), (name) => {
        const found = findSecrets(`https://example.com/?${name}=${JWT}`);
        expect(JSON.stringify(found?.secrets)).not.toContain('eyJ');
      }),
    );
  });
});
