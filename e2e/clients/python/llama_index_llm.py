import os
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

llm = OpenAILike(
    model="footnote-extract-1",
    api_base="http://localhost:3000/v1",
    api_key=os.environ["FOOTNOTE_API_KEY"],
    is_chat_model=True,
    additional_kwargs={
        "extra_body": {"citations": {"enabled": True, "required": True}}
    },
)
response = llm.chat([ChatMessage(role="user", content="What are the signs of a stroke?")])
print(response.message.content)
print(response.raw.citations[0]["title"])
for annotation in response.raw.choices[0].message.annotations:
    print(annotation.url_citation.verification["verdict"])

# Checks
assert "[1]" in response.message.content
chunks = list(llm.stream_chat([ChatMessage(role="user", content="What are the signs of a stroke?")]))
assert chunks[-1].message.content == response.message.content
assert chunks[0].raw.citations
assert chunks[-1].raw.choices[0].delta.annotations
