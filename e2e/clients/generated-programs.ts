/**
 * Programs over generated clients. Each uploads the file in FILE with KEY, then streams an answer; it prints the id of
 * the document and what came of the stream.
 */
export const HEY_API = `
import { readFile } from "node:fs/promises";
import { client } from "./hey-api/client.gen";
import { createChatCompletion, listModels, searchKnowledge, uploadDocument } from "./hey-api/sdk.gen";
import type { paths } from "./types";

type Chat = paths["/v1/chat/completions"]["post"];
type Body = Chat["requestBody"]["content"]["application/json"];
type Chunk = Chat["responses"][200]["content"]["text/event-stream"];

const messages = [{ role: "user" as const, content: process.env.QUESTION ?? "" }];
const body: Body = { model: "footnote-extract-1", messages, stream: true, citations: { enabled: true } };
/** Compiles only if the types have no such knowledge base, and a number for top_k. */
type Citations = NonNullable<Body["citations"]>;
export const refused: ["web" extends NonNullable<Citations["sources"]>[number] ? 1 : 0, "8" extends Citations["top_k"] ? 1 : 0] = [0, 0];
export const textOf = (chunk: Chunk): string => chunk.choices[0]?.delta.content ?? "";

export async function findVerdict() {
  const { data: models } = await listModels();
  const { data, error } = await createChatCompletion({ body });
  const { data: found } = await searchKnowledge({ body: { query: "asthma" } });
  const verdict = data?.choices[0]?.message.annotations?.[0]?.url_citation.verification?.verdict;
  return [models?.data[0]?.id, verdict, error?.error.code, found?.data[0]?.similarity];
}

client.setConfig({ baseUrl: process.env.BASE_URL, auth: process.env.KEY });
const file = new File([await readFile(process.env.FILE ?? "")], "leave.txt");
const { data: document, error } = await uploadDocument({ body: { scope: "customer_kb", file } });
if (error) throw new Error(error.error.message);
const { data } = await createChatCompletion({ body, parseAs: "stream" });
const stream = await new Response(data as unknown as ReadableStream).text();
console.log(JSON.stringify({ id: document?.id, stream }));
`;

export const ORVAL = `
import { readFile } from "node:fs/promises";
import { createChatCompletion, uploadDocument } from "./orval/api";

const options = { headers: { authorization: "Bearer " + process.env.KEY } };
const file = new File([await readFile(process.env.FILE ?? "")], "leave.txt");
const uploaded = await uploadDocument({ scope: "customer_kb", file }, options);
if (uploaded.status !== 202) throw new Error("not accepted: " + uploaded.status);
const answer = await createChatCompletion(
  {
    model: "footnote-extract-1",
    messages: [{ role: "user", content: process.env.QUESTION ?? "" }],
    stream: true,
    citations: { enabled: true },
  },
  options,
);
console.log(JSON.stringify({ id: uploaded.data.id, stream: answer.data }));
`;

export const PYTHON = `
import json, os
from footnote import AuthenticatedClient
from footnote.api.chat_completions import create_chat_completion
from footnote.api.documents import upload_document
from footnote.models import AcceptedDocument, ChatCompletionRequest, ChatMessage, ChatMessageRole, CitationsRequest, UploadDocument
from footnote.types import File

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["KEY"])
with open(os.environ["FILE"], "rb") as payload:
    body = UploadDocument(scope="customer_kb", file=File(payload=payload, file_name="leave.txt"))
    document = upload_document.sync(client=client, body=body)
assert isinstance(document, AcceptedDocument), document
request = ChatCompletionRequest(
    model="footnote-extract-1",
    messages=[ChatMessage(role=ChatMessageRole.USER, content=os.environ["QUESTION"])],
    stream=True,
    citations=CitationsRequest(enabled=True),
)
with client.get_httpx_client().stream(**create_chat_completion._get_kwargs(body=request)) as response:
    print(json.dumps({"id": document.id, "stream": "".join(response.iter_text())}))
`;

export const GO = `
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("BASE_URL"), WithRequestEditorFn(authorize))
	check(err)
	content, err := os.ReadFile(os.Getenv("FILE"))
	check(err)
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	check(writer.WriteField("scope", "customer_kb"))
	part, err := writer.CreateFormFile("file", "leave.txt")
	check(err)
	_, err = part.Write(content)
	check(err)
	check(writer.Close())
	uploaded, err := client.UploadDocumentWithBodyWithResponse(ctx, writer.FormDataContentType(), &form)
	check(err)
	if uploaded.JSON202 == nil {
		panic(string(uploaded.Body))
	}
	var body ChatCompletionRequest
	question, _ := json.Marshal(os.Getenv("QUESTION"))
	check(json.Unmarshal([]byte(fmt.Sprintf(
		\`{"model": "footnote-extract-1", "stream": true, "citations": {"enabled": true}, "messages": [{"role": "user", "content": %s}]}\`,
		question)), &body))
	response, err := client.CreateChatCompletion(ctx, nil, body)
	check(err)
	defer response.Body.Close()
	stream, err := io.ReadAll(response.Body)
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]string{"id": uploaded.JSON202.Id, "stream": string(stream)}))
}
`;
