import os
from langchain_openai import ChatOpenAI

settings = {
    "base_url": "http://localhost:3000/v1",
    "api_key": os.environ["FOOTNOTE_API_KEY"],
}
model = ChatOpenAI(model="footnote-extract-1", use_responses_api=True, **settings).bind(
    tools=[{"type": "file_search", "vector_store_ids": ["public_kb"]}]
)
message = model.invoke("What are the signs of a stroke?")
print(message.text)
for block in message.content_blocks:
    for annotation in block.get("annotations", []):
        print(annotation["type"], annotation.get("extras", {}).get("verdict"))

# Text only: sources as links in the text.
linked = ChatOpenAI(
    model="footnote-extract-1",
    extra_body={"citations": {"enabled": True, "render": "links"}},
    **settings,
)
print(linked.invoke("What are the signs of a stroke?").content)

# Checks
def cited(message):
    return [each for block in message.content_blocks for each in block.get("annotations", [])]


assert "[1]" in message.text
assert all(each["type"] == "citation" and each["extras"]["verdict"] for each in cited(message))
streamed = None
for chunk in model.stream("What are the signs of a stroke?"):
    streamed = chunk if streamed is None else streamed + chunk
assert len(cited(streamed)) == len(cited(message)) > 0
assert "[[1]](http" in linked.invoke("What are the signs of a stroke?").content
