// Uploads a file with tus-js-client, going on where an earlier run has ended if there was one.
// node upload.mjs ENDPOINT FILE REMEMBERED; the key is in the environment.
import fs from 'node:fs'
import * as tus from 'tus-js-client'

const [endpoint, path, remembered] = process.argv.slice(2)
const file = fs.createReadStream(path)
let key = null
let requests = 0
let resumed = false

const upload = new tus.Upload(file, {
  endpoint,
  chunkSize: 1024 * 1024,
  uploadSize: fs.statSync(path).size,
  retryDelays: [20, 50, 100, 200, 400, 800],
  headers: { Authorization: `Bearer ${process.env.ENTREPOT_KEY}` },
  metadata: { filename: 'Bericht März.bin', filetype: 'application/x-test', directory: 'in/tus', 'label.from': 'node' },
  urlStorage: new tus.FileUrlStorage(remembered),
  storeFingerprintForResuming: true,
  removeFingerprintOnSuccess: true,
  onAfterResponse: (request, response) => {
    requests++
    key = response.getHeader('Entrepot-File-Key') ?? key
  },
  onProgress: (sent) => console.error(`sent ${sent}`),
  onError: (error) => {
    console.error(String(error))
    process.exit(1)
  },
  onSuccess: () => console.log(JSON.stringify({ url: upload.url, key, requests, resumed })),
})

const earlier = await upload.findPreviousUploads()
if (earlier.length > 0) {
  resumed = true
  upload.resumeFromPreviousUpload(earlier[0])
}
upload.start()
