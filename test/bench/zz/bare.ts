import { createServer } from 'node:http';
const opts = JSON.parse(process.argv[2] ?? '{}');
const H = ['cache-control','private, no-store','x-robots-tag','noindex','location','https://example.com/'.padEnd(84,'p'),'content-length','0'];
const m = new Map<string, string[]>(); for (let i=0;i<10000;i++) m.set(`/plain-${i}`, [...H]);
const noop = function(){};
let hits=0;
const s = createServer({ requireHostHeader: false, optimizeEmptyRequests: true, keepAliveTimeout: 72000 }, (req, res) => {
  if (opts.close) res.on('close', noop);
  if (opts.headers && req.headers['user-agent'] === undefined) hits++;
  res.writeHead(302, m.get(req.url!) ?? H).end();
});
if (opts.timeout) s.timeout = 45000;
s.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(s.address() as any).port}`));
